import { z } from 'zod';

/** An instant as every surface writes it: UTC with milliseconds and `Z`. */
export const instantSchema = z.iso.datetime({ precision: 3 });
