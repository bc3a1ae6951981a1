/**
 * The content security policy forbids code made from text; schemas must not even try, because a browser reports the
 * attempt. Zod shares its settings over all its copies by this name and takes up what it finds there: set before its
 * first schema is made, wherever the bundler puts them. `z.config()` would come after those of the same chunk.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
