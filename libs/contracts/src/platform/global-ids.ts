import { z } from 'zod';

/** Prefixes of ids in the member API, by its types. Events and responses of the operator API have the UUID alone. */
export const GLOBAL_ID_PREFIXES = {
  EnrolledCourse: 'enr',
  PurchasedDigitalProduct: 'dig',
  PurchasedConsultingService: 'con',
  ConsultingBooking: 'bkg',
  EventRegistration: 'reg',
  Notification: 'ntf',
  NotificationSubscription: 'nsb',
  Post: 'pst',
} as const;

export type GlobalIdType = keyof typeof GLOBAL_ID_PREFIXES;

/** Types of the objects that operators have too. */
export const SHARED_TYPES = [
  'EnrolledCourse',
  'PurchasedDigitalProduct',
  'PurchasedConsultingService',
  'ConsultingBooking',
  'EventRegistration',
  'Post',
] as const satisfies readonly GlobalIdType[];
export type SharedType = (typeof SHARED_TYPES)[number];

/** In any case. JSON Schema has no flags of regular expressions. */
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const UUID_LENGTH = 36;

/** Returns the schema of an id in a request: the UUID of the object, or its id in the member API. Reads the UUID. */
export function sharedId(...types: readonly [SharedType, ...SharedType[]]) {
  const prefixes = types.map((type) => GLOBAL_ID_PREFIXES[type]).join('|');
  const pattern = `^((${prefixes})_)?${UUID}$`;
  return z
    .string()
    .regex(new RegExp(pattern), 'Must be a UUID, or the id of the object in the member API')
    .overwrite((value) => value.slice(-UUID_LENGTH).toLowerCase())
    .meta({ pattern });
}

/** True for the pattern of such a schema, in JSON Schema. */
export function isSharedIdPattern(pattern: unknown): boolean {
  return typeof pattern === 'string' && pattern.endsWith(`_)?${UUID}$`);
}
