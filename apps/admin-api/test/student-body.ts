import type { Json } from '@lyceum/collections/conventions';

/** A body that creates a student. */
export const student = (unique: string): Json => ({
  email: `${unique}@example.com`,
  name: `Student ${unique}`,
  tags: ['evening'],
  external_id: unique,
});
