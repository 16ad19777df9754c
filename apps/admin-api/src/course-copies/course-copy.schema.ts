import { name, slug } from '@lyceum/rest';
import { z } from 'zod';
import { COURSE_NAME_LENGTH } from '#src/courses/course.schema.js';

export const courseCopy = z
  .strictObject({
    name: name(COURSE_NAME_LENGTH).optional().meta({ description: 'Name of the copy; without it `<name> (copy)`' }),
    slug: slug
      .optional()
      .meta({ description: 'Slug of the copy; without it the first free one of `<slug>-copy`, `<slug>-copy-2`, …' }),
  })
  .meta({ id: 'CourseCopy', examples: [{ name: 'Celestial Navigation in spring' }] });
export type CourseCopy = z.infer<typeof courseCopy>;
