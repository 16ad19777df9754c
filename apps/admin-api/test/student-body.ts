import type { Json } from '@lyceum/collections/conventions';

/** A body that creates a student. */
export const student = (unique: string): Json => ({
  email: `${unique}@example.com`,
  name: `Student ${unique}`,
  external_id: unique,
});
