import type { i18n } from 'i18next';
import type { App } from '../platform/app.ts';
import { allTexts, type Language } from '../platform/texts.ts';

/** A page that listens to nothing else opens the stream for this only once it stands. */
const PATIENCE_MS = 3000;

/**
 * Keeps texts and settings of the instance as its Admins have them: taken up at start where there are any, and while
 * the page is open as soon as the stream says that they changed.
 */
export function followInstance(app: App, texts: i18n): void {
  const held = new Map<string, string>();
  /** What the bundle says of keys that are overridden; undefined for keys it does not know. */
  const bundled = new Map<string, string | undefined>();
  let wanted = '0';

  const take = async (language: string): Promise<void> => {
    const since = held.get(language);
    if (since === wanted || (since === undefined && wanted === '0')) return;
    const answer = await app.client.getLocalizationOverrides(
      { params: { language: language as Language }, query: since === undefined ? {} : { since } },
      { quiet: true },
    );
    held.set(language, answer.version);
    if (answer.texts === null) return;
    // A text that is still to come could not be put back once it is changed no more.
    await allTexts(language as Language);
    const place = (key: string) => `${language} ${key}`;
    const tree = { ...(texts.getResourceBundle(language, 'translation') as Record<string, unknown>) };
    for (const [name, text] of bundled) {
      const [of, key = ''] = name.split(/ (.*)/);
      if (of === language && !Object.hasOwn(answer.texts, key)) {
        setAt(tree, key, text);
        bundled.delete(name);
      }
    }
    for (const [key, text] of Object.entries(answer.texts)) {
      if (!bundled.has(place(key))) bundled.set(place(key), textAt(tree, key));
      setAt(tree, key, text);
    }
    texts.removeResourceBundle(language, 'translation');
    texts.addResourceBundle(language, 'translation', tree);
    // Told as a change of language, which is what every screen draws itself anew for.
    if (texts.language === language) await texts.changeLanguage(language);
  };
  const refresh = (version: string) => {
    wanted = version;
    take(texts.language).catch(() => undefined);
  };

  app.config.subscribe(({ context }) => {
    if (context.data) refresh(context.data.textsVersion);
  });
  texts.on('languageChanged', (language: string) => void take(language).catch(() => undefined));
  let isFollowing = false;
  const follow = () => {
    if (isFollowing) return;
    isFollowing = true;
    app.live.on('instance', ({ texts: version }) => {
      refresh(version);
      app.queries.invalidate('config');
    });
  };
  // What changed before the stream stood, or while it was away, is asked for once it stands (again).
  let isMissing = true;
  app.live.status.subscribe(() => {
    const status = app.live.status.get();
    // It stands for somebody else's sake: from here on it tells of texts, too, and none may be missed.
    if (status === 'live' || status === 'delayed') follow();
    if (status === 'live' && isMissing) app.queries.invalidate('config');
    if (status === 'live') isMissing = false;
    else if (status !== 'delayed') isMissing = true;
  });
  setTimeout(follow, PATIENCE_MS);
}

type Tree = { [key: string]: unknown };

function textAt(tree: Tree, key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<unknown>((at, part) => (typeof at === 'object' && at !== null ? (at as Tree)[part] : undefined), tree);
  return typeof found === 'string' ? found : undefined;
}

/** Copies what is on the way, so that the bundle itself stays as it was loaded. */
function setAt(tree: Tree, key: string, text: string | undefined): void {
  const [first = '', ...rest] = key.split('.');
  if (['__proto__', 'constructor', 'prototype'].includes(first)) return;
  if (rest.length === 0) {
    if (text === undefined) delete tree[first];
    else if (typeof tree[first] !== 'object') tree[first] = text;
    return;
  }
  const below = tree[first];
  if (typeof below === 'string') return;
  const copy = { ...(below as Tree | undefined) };
  setAt(copy, rest.join('.'), text);
  tree[first] = copy;
}
