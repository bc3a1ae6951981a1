import type { AdminTag } from '@pilotfish/core/admin/instance-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { assetsOfTag, TAGS } from '@pilotfish/core/prices/asset-tags';
import type { AppContext } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import type { Handlers, Origin, Surroundings } from '../http/endpoint-handler.ts';

type DeedOf = (call: Pick<Surroundings, 'account' | 'origin'>) => { actorId: string; origin: Origin };

/** Tags of base assets: those of the product can be looked at, those of this instance be changed. */
export function tagHandlers(
  { instance, database, texts, audit, now }: AppContext,
  deed: DeedOf,
): Pick<Handlers, 'listAdminTags' | 'createTag' | 'changeTag' | 'deleteTag'> {
  const { tags } = instance;
  const own = (key: string): AdminTag | undefined => {
    const tag = tags.all().find((each) => each.key === key);
    return tag && { ...tag, assets: [...tag.assets], builtIn: false };
  };
  const require = (key: string): AdminTag => {
    const tag = own(key);
    if (tag === undefined) throw new AppError('not-found');
    return tag;
  };
  const change = async (
    call: Pick<Surroundings, 'account' | 'origin'>,
    action: string,
    key: string,
    details: object,
    work: (queries: Queries) => Promise<unknown>,
  ): Promise<void> => {
    const { actorId, origin } = deed(call);
    await database.transaction(async (queries) => {
      await work(queries);
      await instance.bump('tags', queries);
      await audit.record({ accountId: actorId, action, target: key, origin, details: { ...details } }, queries);
    });
    await instance.refresh();
  };

  return {
    listAdminTags: () => ({
      items: [
        ...tags.all().map((tag) => ({ ...tag, assets: [...tag.assets], builtIn: false })),
        ...TAGS.map((key) => ({
          key,
          labels: { en: texts.text('en', `tags.${key}`), tr: texts.text('tr', `tags.${key}`) },
          assets: [...assetsOfTag(key)],
          builtIn: true,
        })),
      ],
    }),
    createTag: async (call) => {
      const { key } = call.body;
      if (TAGS.includes(key) || own(key) !== undefined)
        throw new AppError('conflict', { parameters: { context: 'name_taken', name: key } });
      await change(call, 'admin.create-tag', key, { after: call.body }, (queries) => tags.store(queries, call.body, now()));
      return require(key);
    },
    changeTag: async (call) => {
      const { key } = call.params;
      const before = require(key);
      await change(call, 'admin.change-tag', key, { before, after: call.body }, (queries) =>
        tags.store(queries, { key, ...call.body }, now()),
      );
      return require(key);
    },
    deleteTag: async (call) => {
      const { key } = call.params;
      const before = require(key);
      await change(call, 'admin.delete-tag', key, { before }, (queries) => tags.remove(queries, key));
    },
  };
}
