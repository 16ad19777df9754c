import { z } from 'zod';

/** Currencies by their decimals in ISO 4217, where these are not two. The data of `Intl` differs from the standard. */
const DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const currencies = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...Object.values(DECIMALS).flatMap((codes) => codes.split(' ')),
]);

/** Text of the document that explains how clients show an amount. */
export const DECIMALS_RULE = `A currency has two decimals, with these exceptions of ISO 4217: ${Object.entries(DECIMALS)
  .map(([digits, codes]) => `${digits} (${codes.replaceAll(' ', ', ')})`)
  .join(', ')}.`;

/** A currency code of ISO 4217. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'Three capital letters, such as TWD')
  .refine((code) => currencies.has(code), 'A currency of ISO 4217, such as TWD');

/** An amount in minor units: an integer from 0 to 2^53 - 1, which JSON represents exactly. */
export const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({
  description: 'Minor units of the currency by ISO 4217: 150000 is 1,500.00 TWD, 150,000 JPY, or 150.000 KWD',
});

/** Money in a response. */
export const money = z.object({ amount_minor: amount, currency: z.string().meta({ description: 'ISO 4217' }) });
export type Money = z.infer<typeof money>;

/** Money in a request. */
export const moneyIn = z.strictObject({ amount_minor: amount, currency });
