import { z } from 'zod';
import { email, httpsUrl, multiline, name, slug, text } from '@lyceum/rest';

const socialLink = z.strictObject({ network: text(50), url: httpsUrl });

/** What a declaration says of a lecturer. */
export const lecturerDeclaration = z.strictObject({
  slug,
  name: name(200),
  title: text(200).nullable().default(null),
  bio_html: multiline(20_000).nullable().default(null),
  avatar_url: httpsUrl.nullable().default(null),
  email: email.nullable().default(null),
  social_links: z.array(socialLink).max(10).default([]),
  position: z.int().min(0).max(10_000).default(0),
  visible: z.boolean().default(false),
});
export type LecturerDeclaration = z.infer<typeof lecturerDeclaration>;

/** What everybody may read of a lecturer. */
export const publicLecturer = z.object({
  slug: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  bio_html: z.string().nullable().describe('Its beginning'),
  avatar_url: z.string().nullable(),
  social_links: z.array(z.object({ network: z.string(), url: z.string() })),
});
