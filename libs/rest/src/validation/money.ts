import { z } from 'zod';

/** ISO 4217. */
export const currency = z.string().regex(/^[A-Z]{3}$/, 'Three capital letters, such as TWD');

/** Minor units, as the database holds them. */
export const amount = z.int().min(0).max(2_147_483_647);

/** What something costs: whole minor units (cents) of a currency. */
export const money = z.object({ amount_minor: z.int(), currency: z.string() });
export type Money = z.infer<typeof money>;

export const moneyIn = z.strictObject({ amount_minor: amount, currency });
