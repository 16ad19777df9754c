import { z } from 'zod';

/** Digits behind the point by ISO 4217, where they are not two. The data of `Intl` differs from the standard. */
const EXPONENTS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const USUAL = 2;

const exponents = new Map([
  ...Intl.supportedValuesOf('currency').map((code) => [code, USUAL] as const),
  ...Object.entries(EXPONENTS).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, +digits] as const)),
]);

/** Digits of the minor unit: 150000 of TWD (2) is 1,500.00, of JPY (0) it is 150,000. Undefined for no currency. */
export function currencyExponent(code: string): number | undefined {
  return exponents.get(code);
}

/** ISO 4217. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'Three capital letters, such as TWD')
  .refine((code) => exponents.has(code), 'A currency of ISO 4217, such as TWD');

/** Whole minor units: what JSON carries without loss, and the database checks. */
export const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({
  description: 'Minor units of the currency by ISO 4217: 150000 is 1,500.00 TWD, 150,000 JPY, or 150.000 KWD',
});

/** What something costs. */
export const money = z.object({ amount_minor: amount, currency: z.string().meta({ description: 'ISO 4217' }) });
export type Money = z.infer<typeof money>;

export const moneyIn = z.strictObject({ amount_minor: amount, currency });
