import { z } from 'zod';

/** An instant on every surface: UTC with milliseconds and `Z`. */
export const instantSchema = z.iso.datetime({ precision: 3 });
