import { z } from 'zod';
import { defineRequest } from './request.js';

/** Rows of one response about a person. A response stays far below the largest message. */
export const PERSONAL_DATA_PAGE = 250;

/** A request for the records of one section about a person, at the site of the request, in the order of their keys. */
export const personalDataRequest = <const Sections extends readonly [string, ...string[]]>(
  service: string,
  name: string,
  sections: Sections,
) =>
  defineRequest({
    service,
    name,
    version: 1,
    input: z.object({
      person_id: z.uuid(),
      section: z.enum(sections),
      offset: z.int().min(0).max(1_000_000),
    }),
    output: z.object({
      rows: z.array(z.record(z.string(), z.unknown())),
      /** True when further rows follow. */
      more: z.boolean(),
    }),
  });
