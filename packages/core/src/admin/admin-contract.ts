import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { id, idParams, isoTime, nothing, pageOf, pageQuery, sortDirection } from '../http/wire.ts';

const admin = { backend: 'bff', access: 'admin' } as const;

export const getAdminStats = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/stats',
  summary: 'State of the instance',
  answer: z.object({
    users: z.int(),
    activeSessions: z.int(),
    botsByState: z.record(z.string(), z.int()),
    ordersLastHour: z.int(),
    alertsFired24h: z.int(),
    streamLagMs: z.int().nullable(),
    queueDepths: z.record(z.string(), z.int()),
    databaseBytes: z.int(),
    exchangeWeightUsed: z.int().nullable(),
  }),
});

export const adminUserSchema = z.object({
  id,
  username: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  createdAt: isoTime,
  lastSeenAt: isoTime.nullable(),
  twoFactor: z.boolean(),
});
export const listUsers = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/users',
  summary: 'Users, searched and sorted',
  query: pageQuery.extend({
    search: z.string().max(100).optional(),
    sortBy: z.enum(['username', 'email', 'createdAt', 'lastSeenAt']).default('createdAt'),
    sortOrder: sortDirection.default('desc'),
  }),
  answer: pageOf(adminUserSchema),
});
export const deleteUser = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v2/admin/users/{id}',
  summary: 'Deletes a user; the own account and the last Admin are protected',
  params: idParams,
  answer: nothing,
  status: 204,
  errors: ['last-admin', 'conflict'],
});
export const setUserRoles = endpoint({
  ...admin,
  method: 'PATCH',
  path: '/v2/admin/users/{id}/roles',
  summary: 'Sets the roles of a user',
  params: idParams,
  body: z.object({ roles: z.array(z.string().max(40)).max(20) }),
  answer: adminUserSchema,
  errors: ['last-admin'],
});
export const listRoles = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/roles',
  summary: 'Roles that exist',
  answer: z.array(z.string()),
});

export const localizationResourceSchema = z.object({ id, key: z.string(), values: z.record(z.enum(['en', 'tr']), z.string()) });
const resourceBody = z.object({ key: z.string().min(1).max(200), values: z.partialRecord(z.enum(['en', 'tr']), z.string().max(4000)) });
export const listLocalizationResources = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/localization-resources',
  summary: 'Texts, with the overrides of this instance',
  query: pageQuery.extend({ filter: z.string().max(200).optional() }),
  answer: pageOf(localizationResourceSchema),
});
export const createLocalizationResource = endpoint({
  ...admin,
  method: 'POST',
  path: '/v2/localization-resources',
  summary: 'Adds a text',
  body: resourceBody,
  answer: localizationResourceSchema,
  status: 201,
  errors: ['conflict'],
});
export const updateLocalizationResource = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v2/localization-resources/{id}',
  summary: 'Changes a text',
  params: idParams,
  body: resourceBody,
  answer: localizationResourceSchema,
});
export const deleteLocalizationResource = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v2/localization-resources/{id}',
  summary: 'Removes an override',
  params: idParams,
  answer: nothing,
  status: 204,
});

export const adminContract = {
  getAdminStats,
  listUsers,
  deleteUser,
  setUserRoles,
  listRoles,
  listLocalizationResources,
  createLocalizationResource,
  updateLocalizationResource,
  deleteLocalizationResource,
};
