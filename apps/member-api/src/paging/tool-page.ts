import { toolPage } from '@lyceum/tools';
import { z } from 'zod';

export const pageInput = z.object(toolPage);

/** `next_cursor` of a tool, by the `pageInfo` of the connection that it reads. */
export const nextCursor = ({ hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null }) =>
  hasNextPage ? endCursor : null;
