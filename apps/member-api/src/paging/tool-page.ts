import { toolPage } from '@lyceum/tools';
import { z } from 'zod';

export const pageInput = z.object(toolPage);

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

/** The schema of a connection, as a tool queries it. */
export const connectionOf = <Node extends z.ZodObject>(node: Node) => z.object({ nodes: z.array(node), pageInfo });

/** Converts the `pageInfo` of a connection to the `next_cursor` of a tool. */
export const nextCursor = ({ hasNextPage, endCursor }: z.output<typeof pageInfo>): string | null =>
  hasNextPage ? endCursor : null;
