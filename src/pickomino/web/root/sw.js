// Keeps the page's own files, so that an installed page opens at once and without a network, says so, and shows the
// rules. The game itself needs the server. A new version brings a new cache; the old one goes.
const CACHE = "pickomino-__VERSION__";
const STATIC = "__STATIC__/";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(["/", "/icon.svg", "/api/about"]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name.startsWith("pickomino-") && name !== CACHE).map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith(STATIC)) event.respondWith(cached(event.request));
  else if (["/", "/icon.svg", "/api/about"].includes(url.pathname)) event.respondWith(fresh(event.request));
});

/** @param {Request} request */
async function cached(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** @param {Request} request */
async function fresh(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(request, { ignoreSearch: true });
    if (found) return found;
    throw error;
  }
}
