// Where it begins: the language, then the screen that the address names.
import { home } from "./home.js";
import { useLanguage, wished } from "./i18n.js";
import { listen } from "./keys.js";
import { keepSecret } from "./store.js";

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
/** @type {{close: () => void, keyboard: () => import("./keys.js").Keyboard}|null} */
let screen = null;

/** @param {string} [record] */
async function show(record) {
  document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
  const hash = new URLSearchParams(location.hash.slice(1));
  const secret = hash.get("seat");
  if (secret && !hash.has("review")) {
    // The secret is kept and leaves the address, so that a shared picture of the screen does not give it away.
    history.replaceState(null, "", `#table=${keepSecret(secret)}`);
    await show();
    return;
  }
  screen?.close();
  screen = null;
  const id = hash.get("table");
  if (record !== undefined || hash.has("replay")) {
    const { Replayer } = await import("./replay.js");
    screen = new Replayer(
      app,
      record === undefined ? { game: hash.get("replay") ?? "", at: Number(hash.get("at") ?? 0) } : { text: record },
    );
  } else if (hash.has("review")) {
    const { ReviewScreen } = await import("./review.js");
    const slip = hash.get("slip");
    screen = new ReviewScreen(app, {
      game: hash.get("review") ?? "",
      seat: hash.get("seat") ?? "",
      slip: slip === null ? null : Number(slip),
    });
  } else if (hash.has("practise") || hash.has("ten")) {
    const { PractiseScreen } = await import("./practise.js");
    screen = new PractiseScreen(app, { ten: hash.has("ten") });
  } else if (id) {
    const { TableScreen } = await import("./table.js");
    screen = new TableScreen(app, id, { learn: hash.has("learn") });
  } else home(app);
}

await useLanguage(wished());
listen(() => screen?.keyboard() ?? null);
addEventListener("hashchange", () => show());
addEventListener("pickomino:redraw", () => show());
addEventListener("pickomino:record", (event) => {
  history.replaceState(null, "", "#");
  void show(/** @type {CustomEvent<string>} */ (event).detail);
});
await show();
document.documentElement.dataset.ready = "1";
performance.mark("pickomino-ready");
if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("/sw.js").catch(() => undefined);
