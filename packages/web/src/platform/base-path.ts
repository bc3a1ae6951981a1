/** What stands before every path of the app where the server lies below one, as `/pilotfish`: the server writes it into the page. */
export const BASE = globalThis.document?.documentElement.dataset.base ?? '';

/** What stands before every key in the browser's storage, which all that lies at this origin shares. `index.html` reads by it, too. */
export const OWN_KEYS = BASE && `${BASE}:`;
