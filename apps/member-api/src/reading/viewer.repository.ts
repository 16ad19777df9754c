import { Injectable } from '@nestjs/common';
import { Sql, databaseError } from '@lyceum/platform';
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

@Injectable()
export class ViewerRepository {
  constructor(private readonly database: Sql) {}

  /**
   * Returns the JSON of a compiled selection as text; undefined when the member does not exist. A named statement is
   * prepared on every connection that runs it, and stays prepared.
   *
   * @throws ApiError `temporarily_unavailable`
   */
  async read({ text, parameters }: Statement, binding: Binding, name = ''): Promise<string | undefined> {
    const values = parameters.map((parameter) => parameter(binding));
    try {
      const [row] = await this.database.query<{ data: string }>({ name, text }, values);
      return row?.data;
    } catch (error) {
      throw databaseError(error) ?? error;
    }
  }
}
