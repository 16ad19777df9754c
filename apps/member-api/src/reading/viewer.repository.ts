import { Injectable } from '@nestjs/common';
import { graphqlCode } from '@lyceum/errors';
import { Sql, databaseError } from '@lyceum/platform';
import { GraphQLError } from 'graphql';
import { LIMITS } from '#src/selection/limits.policy.js';
import { argument, sql } from '#src/selection/sources.js';
import type { Sources } from '#src/selection/sources.js';
import type { Binding, Statement } from '#src/selection/statement.js';
import { VIEWER_LOCALE, ofProfile } from './viewer-profile.js';

/** `Viewer`, with the fields of the row of the member. */
export const viewerSources: Sources = {
  Query: {
    viewer: sql.sameRow,
    // Its fields are in the row of the member.
    node: { kind: 'node', from: { Viewer: `(values (:member)) self (id) where self.id = ${argument('id', 'uuid')}` } },
  },
  Viewer: {
    id: sql.uuid(':member'),
    name: sql.text('coalesce(m.name, p.name)'),
    email: sql.text('p.email'),
    avatarUrl: sql.nullable(sql.text(ofProfile('picture'))),
    locale: sql.nullable(sql.text(VIEWER_LOCALE)),
  },
};

/** The texts of a response have more bytes than a response may have. */
export class TextsTooLong extends GraphQLError {
  constructor() {
    const limit = LIMITS.responseBytes / 1_024 ** 2;
    const extensions = { code: graphqlCode('cost_limit_exceeded') };
    super(`The texts have more than ${limit} MiB; read the lectures one by one`, { extensions });
  }
}

@Injectable()
export class ViewerRepository {
  constructor(private readonly database: Sql) {}

  /**
   * Returns the JSON of a compiled selection as text; undefined when the member does not exist. A named statement is
   * prepared on every connection that runs it, and stays prepared.
   *
   * @throws ApiError `temporarily_unavailable`, TextsTooLong
   */
  async read({ text, parameters }: Statement, binding: Binding, name = ''): Promise<string | undefined> {
    const values = parameters.map((parameter) => parameter(binding));
    try {
      const [row] = await this.database.query<{ data: string | null }>({ name, text }, values);
      if (row?.data === null) throw new TextsTooLong();
      return row?.data;
    } catch (error) {
      throw databaseError(error) ?? error;
    }
  }
}
