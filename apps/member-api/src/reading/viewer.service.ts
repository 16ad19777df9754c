import { Injectable, Logger } from '@nestjs/common';
import type { Principal, Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { GraphQLError } from 'graphql';
import type { DocumentNode, GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { DownloadLinks } from '#src/download-links/download-links.js';
import { withTexts } from '#src/messages/message-json.js';
import { ConnectionCursors } from '#src/paging/cursor.js';
import type { CursorScope } from '#src/paging/cursor.js';
import { presentMember } from '#src/people/present-member.js';
import { compileTyped } from '#src/selection/compiler.js';
import { PreparedDocuments } from '#src/selection/documents.js';
import { pageOf } from '#src/selection/pages.js';
import type { PreparedDocument } from '#src/selection/prepared-document.js';
import type { PreparedOperation } from '#src/selection/prepared-operation.js';
import { Selector } from '#src/selection/selection.js';
import type { SelectedField, SelectedObject, Variables } from '#src/selection/selection.js';
import { StatementNames } from '#src/selection/statement-names.js';
import type { Binding, Statement } from '#src/selection/statement.js';
import { SourceCatalog } from './source-catalog.js';
import { TextsTooLong, ViewerRepository } from './viewer.repository.js';

export interface Caller {
  readonly principal: Principal;
  readonly site: Pick<Site, 'base_url'>;
}

type ResponseData = Record<string, unknown>;

const PRESENT_MEMBER = presentMember(':site', ':person');

/** Reads selections below `viewer` from SQL. */
@Injectable()
export class ViewerService {
  readonly #logger = new Logger(ViewerService.name);
  readonly #documents = new PreparedDocuments();
  readonly #names = new StatementNames();

  constructor(
    private readonly catalog: SourceCatalog,
    private readonly repository: ViewerRepository,
    private readonly cursors: ConnectionCursors,
    private readonly downloads: DownloadLinks,
  ) {}

  /** @throws GraphQLError when the operation exceeds a limit. */
  prepare(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): PreparedDocument {
    return this.#documents.prepare(document, operation, () => ({
      schema,
      sources: this.catalog.sources,
      from: PRESENT_MEMBER,
    }));
  }

  /**
   * Returns the JSON of `data`; undefined when a part has an error, which the resolvers then report with its path.
   *
   * @throws TextsTooLong
   */
  async readData(prepared: PreparedOperation, variables: Variables, caller: Caller): Promise<string | undefined> {
    try {
      return await this.readDataOrThrow(prepared, variables, caller);
    } catch (error) {
      // The parts would be as long.
      if (error instanceof TextsTooLong) throw error;
      if (!(error instanceof GraphQLError || error instanceof ApiError)) {
        this.#logger.warn({ msg: 'a selection is read again part by part', err: error });
      }
      return undefined;
    }
  }

  /**
   * Returns the JSON of `data` in one round trip.
   *
   * @throws GraphQLError, ApiError `invalid_cursor`, `not_found` when the site has no such member
   */
  async readDataOrThrow(prepared: PreparedOperation, variables: Variables, caller: Caller): Promise<string> {
    const { statement } = prepared;
    if (statement === undefined) throw new Error('The selection has a field without a source in SQL');
    const binding = this.#bind(statement, variables, caller);
    const name = prepared.nameForRun((runs) => this.#names.name(runs));
    const data = await this.repository.read(statement, binding, name);
    if (data === undefined) throw noMember();
    return statement.hasMessages ? withTexts(data) : data;
  }

  /**
   * Reads and parses some fields of an object; keys are the response keys. Undefined when the site has no such member.
   * `id` is the object that a mutation changed.
   *
   * @throws GraphQLError, ApiError
   */
  async read(
    object: SelectedObject,
    variables: Variables,
    caller: Caller,
    id?: string,
  ): Promise<ResponseData | undefined> {
    const statement = compileTyped(object, PRESENT_MEMBER, this.catalog.sources, variables);
    const binding = this.#bind(statement, variables, caller);
    const data = await this.repository.read(statement, id === undefined ? binding : { ...binding, id });
    if (data === undefined) return undefined;
    return JSON.parse(statement.hasMessages ? withTexts(data) : data) as ResponseData;
  }

  /**
   * Reads `viewer` without the fields that have resolvers of their own.
   *
   * @throws GraphQLError, ApiError `not_found` when the site has no such member
   */
  async readViewer(info: GraphQLResolveInfo, caller: Caller): Promise<ResponseData> {
    const [object] = fieldOf(info).beneath;
    if (object === undefined) throw new Error('viewer is no object');
    const fields = object.fields.filter(({ field }) => field?.args.length === 0);
    const viewer = await this.read({ ...object, fields }, info.variableValues, caller);
    if (viewer === undefined) throw noMember();
    return viewer;
  }

  /**
   * Reads the one field of a resolver. A nested list with invalid arguments is left out; `partOf` reports the error at
   * the path of the list.
   */
  async readField(info: GraphQLResolveInfo, caller: Caller, id?: string): Promise<unknown> {
    const { variableValues, parentType } = info;
    const field = fieldOf(info);
    const scope = this.#scope(caller);
    const refused = (type: string, part: SelectedField): boolean => {
      try {
        this.#page(type, part, variableValues, scope);
        return false;
      } catch {
        return true;
      }
    };
    const readable = { ...field, beneath: field.beneath.map((object) => without(object, refused)) };
    const response = await this.read({ type: parentType.name, fields: [readable] }, variableValues, caller, id);
    if (response === undefined) throw noMember();
    return response[field.key] ?? null;
  }

  /**
   * Returns a list that was read with its parent object.
   *
   * @throws GraphQLError, ApiError `invalid_cursor` when its arguments were invalid
   */
  partOf(parent: ResponseData, info: GraphQLResolveInfo, caller: Caller): unknown {
    const field = fieldOf(info);
    if (!(field.key in parent)) this.#page(info.parentType.name, field, info.variableValues, this.#scope(caller));
    return parent[field.key] ?? null;
  }

  /** Reads the arguments of a connection; other fields have none. */
  #page(type: string, field: SelectedField, variables: Variables, scope: Binding['scope']): void {
    const source = this.catalog.sources[type]?.[field.name];
    if (source?.kind === 'connection') pageOf({ field, source }, variables, scope);
  }

  #bind({ connections }: Statement, variables: Variables, caller: Caller): Binding {
    const { principal, site } = caller;
    const scope = this.#scope(caller);
    const pages = connections.map((connection) => pageOf(connection, variables, scope));
    const downloads = this.downloads.scope(principal);
    const { site_id, person_id, member_id } = principal;
    const ids = { site: site_id, person: person_id, member: member_id };
    return { ...ids, baseUrl: site.base_url, variables, pages, downloads, scope };
  }

  /** Cursor scopes by list, each with one derived key. */
  #scope({ principal }: Caller): Binding['scope'] {
    const scopes = new Map<string, CursorScope>();
    return (list) => {
      const known = scopes.get(list);
      if (known !== undefined) return known;
      const made = this.cursors.scope(principal, list);
      scopes.set(list, made);
      return made;
    };
  }
}

function fieldOf({ schema, fragments, variableValues, parentType, fieldNodes }: GraphQLResolveInfo): SelectedField {
  return new Selector(schema, fragments, variableValues).field(parentType, fieldNodes);
}

function without(object: SelectedObject, refused: (type: string, field: SelectedField) => boolean): SelectedObject {
  const fields = object.fields.filter((field) => !refused(object.type, field));
  return {
    ...object,
    fields: fields.map((field) => ({ ...field, beneath: field.beneath.map((inner) => without(inner, refused)) })),
  };
}

export function noMember(): ApiError {
  return new ApiError('not_found', 'The person of this token is not a member of this site', {
    hint: 'After a first sign-in, try again in some seconds. A person who has left the site has no data here.',
  });
}
