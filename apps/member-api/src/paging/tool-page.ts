import { toolPage } from '@lyceum/tools';
import { z } from 'zod';

export const pageInput = z.object(toolPage);

/** Converts the `pageInfo` of a connection to the `next_cursor` of a tool. */
export const nextCursor = ({ hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null }) =>
  hasNextPage ? endCursor : null;
