import * as z from 'zod';
import { PERMISSIONS } from '../account/permissions-contract.ts';
import { AUDIT_AREAS, auditEntrySchema } from '../auth/auth-contract.ts';
import { endpoint } from '../http/endpoint.ts';
import { id, idParams, isoTime, nothing, pageOf, pageQuery, sortDirection } from '../http/wire.ts';

const permissionSchema = z.enum(PERMISSIONS);
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

export type AdminStats = z.infer<typeof getAdminStats.answer>;

export const adminUserSchema = z.object({
  id,
  username: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  createdAt: isoTime,
  lastSeenAt: isoTime.nullable(),
  twoFactor: z.boolean(),
});
export type AdminUser = z.infer<typeof adminUserSchema>;

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
  secondFactor: true,
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
  secondFactor: true,
  summary: 'Sets the roles of a user',
  params: idParams,
  body: z.object({ roles: z.array(z.string().max(40)).max(20) }),
  answer: adminUserSchema,
  errors: ['last-admin'],
});
export const roleSchema = z.object({
  /** Null for the built-in role Admin, which allows everything and cannot be changed. */
  id: id.nullable(),
  name: z.string(),
  permissions: z.array(permissionSchema),
  /** How many accounts hold it. */
  users: z.int(),
});
export type Role = z.infer<typeof roleSchema>;
/** Without commas, which part names in the terminal; `none` takes all away there. */
const roleName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^(?!none$)[^,\p{C}]+$/iu);
const roleBody = z.object({ name: roleName, permissions: z.array(permissionSchema) });

export const listRoles = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/roles',
  summary: 'Roles that exist and what each allows; Admin first',
  answer: z.array(roleSchema),
});
export const createRole = endpoint({
  ...admin,
  method: 'POST',
  path: '/v2/admin/roles',
  secondFactor: true,
  summary: 'Adds a role. No permission opens the administration: that needs the role Admin',
  body: roleBody,
  answer: roleSchema,
  status: 201,
  errors: ['conflict'],
});
export const changeRole = endpoint({
  ...admin,
  method: 'PUT',
  path: '/v2/admin/roles/{id}',
  secondFactor: true,
  summary: 'Renames a role and sets what it allows, at once for everybody who holds it',
  params: idParams,
  body: roleBody,
  answer: roleSchema,
  errors: ['conflict'],
});
export const roleHolderSchema = z.object({
  username: z.string(),
  /** What the account may do with the role, and what without it. */
  before: z.array(permissionSchema),
  after: z.array(permissionSchema),
});
export type RoleHolder = z.infer<typeof roleHolderSchema>;
export const listRoleHolders = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/roles/{id}/holders',
  summary: 'Who holds a role, and what each may do when it is deleted',
  params: idParams,
  answer: z.object({ items: z.array(roleHolderSchema) }),
});
export const deleteRole = endpoint({
  ...admin,
  method: 'DELETE',
  path: '/v2/admin/roles/{id}',
  secondFactor: true,
  summary: 'Deletes a role; while accounts hold it, only with their number in `holders`',
  params: idParams,
  query: z.object({ holders: z.coerce.number().int().min(0).default(0) }),
  answer: nothing,
  status: 204,
  errors: ['in-use'],
});

export const adminAuditEntrySchema = auditEntrySchema.extend({
  /** Usernames: whose log shows it, and who did it when that is somebody else. */
  account: z.string().nullable(),
  actor: z.string().nullable(),
  /** Before and after, JSON text. */
  details: z.string().nullable(),
});
export type AdminAuditEntry = z.infer<typeof adminAuditEntrySchema>;

export const listAdminAuditLog = endpoint({
  ...admin,
  method: 'GET',
  path: '/v2/admin/audit-log',
  summary: 'What happened to all accounts and what Admins did, newest first',
  query: pageQuery.extend({
    area: z.enum(AUDIT_AREAS).optional(),
    outcome: z.enum(['success', 'failure']).optional(),
    user: z.string().max(100).optional(),
    target: z.string().max(100).optional(),
    from: isoTime.optional(),
    to: isoTime.optional(),
  }),
  answer: pageOf(adminAuditEntrySchema),
});

export const adminContract = {
  getAdminStats,
  listUsers,
  deleteUser,
  setUserRoles,
  listRoles,
  createRole,
  changeRole,
  listRoleHolders,
  deleteRole,
  listAdminAuditLog,
};
