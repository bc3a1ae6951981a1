import { isName } from '@pilotfish/core/money/asset-name';
import type { Node } from 'yaml';
import type { Draft } from './bot-source.ts';

/** `2` and `0.3` stand without quotes; what a number would lose (`0.30`) keeps them. */
const asNumber = (text: string): boolean => /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text) && String(Number(text)) === text;

/** A name stays text although it may look like a number. */
const TEXTS: ReadonlySet<string> = new Set(['name', 'wallet', 'walletId', 'filters', 'tz', 'rules', 'conditions', 'symbols']);

function readable(value: unknown, key = ''): unknown {
  if (TEXTS.has(key)) return value;
  if (Array.isArray(value)) return value.map((each) => readable(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readable(each, name)]));
  return typeof value === 'string' && asNumber(value) ? Number(value) : value;
}

/** Settings in the form of a file as YAML. What it says can be read back to the same settings. */
export async function toYaml(settings: Draft): Promise<string> {
  const { Document, isScalar, isSeq, visit } = await import('yaml');
  const document = new Document(readable(settings));
  const isPlain = (node: Node | null) => isScalar(node);
  visit(document, {
    // Levels and lists of coins take one line each; rules are sentences of their own.
    Seq: (_, node) => {
      if (node.items.every((item) => isScalar(item) && typeof item.value === 'string' && isName(item.value))) node.flow = true;
    },
    Map: (key, node, path) => {
      const inList = isSeq(path.at(-1)) && typeof key === 'number';
      const isSmall = node.items.length <= 3 && node.items.every(({ value }) => isPlain(value as Node));
      if (inList || (isSmall && path.length > 1)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 120, flowCollectionPadding: true });
}
