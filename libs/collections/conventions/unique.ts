import { randomUUID } from 'node:crypto';

let counter = 0;

/** Returns a word that no other object has. */
export const unique = (): string => `u${(++counter).toString(36).padStart(4, '0')}${randomUUID().slice(0, 4)}`;
