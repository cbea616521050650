// Runs before anything is painted, so that the page never flashes in the other theme.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let wish = "auto";
    try {
      wish = JSON.parse(localStorage.getItem("pickomino.settings") || "{}").theme || "auto";
    } catch {
      wish = "auto"; // storage is closed, or holds something else
    }
    const theme = wish === "auto" ? (dark.matches ? "dark" : "light") : wish;
    document.documentElement.dataset.theme = theme;
    const meta = document.querySelector("meta[name=theme-color]");
    if (meta) meta.setAttribute("content", theme === "dark" ? "#24313a" : "#fbf3e2");
  };
  apply();
  dark.addEventListener("change", apply);
  addEventListener("pickomino:theme", apply);
})();
