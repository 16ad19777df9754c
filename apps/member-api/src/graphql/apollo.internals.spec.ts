import { ApolloServer } from '@apollo/server';
import type { ApolloServerOptionsWithSchema, BaseContext, GraphQLRequestListener } from '@apollo/server';
import { ApolloServerErrorCode } from '@apollo/server/errors';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule, Query, Resolver } from '@nestjs/graphql';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { GraphQLError, buildSchema, parse } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import {
  RawJson,
  RoutedDriver,
  VALIDATION_ERRORS,
  executeBody,
  requestError,
  resolveFromKey,
  respond,
  setContentType,
  stopValidation,
  stringifyResult,
  textLength,
} from './apollo.internals.js';

type Listener = GraphQLRequestListener<BaseContext>;
type Options = Partial<ApolloServerOptionsWithSchema<BaseContext>>;

const SCHEMA = buildSchema('type Query { a: String, b(x: Int): String, n(x: Int!): String }');

/** Runs a request like the route, with one listener. */
async function run(body: unknown, listener: Listener = {}, options: Options = {}) {
  const server = new ApolloServer<BaseContext>({
    schema: SCHEMA,
    stringifyResult,
    csrfPrevention: false,
    includeStacktraceInErrorResponses: false,
    plugins: [ApolloServerPluginCacheControlDisabled(), { requestDidStart: () => Promise.resolve(listener) }],
    stopOnTerminationSignals: false,
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    ...options,
  });
  await server.start();
  const { status, headers, body: text } = await executeBody(server, body, {});
  await server.stop();
  return { status, headers: new Map(headers), text, json: JSON.parse(text) as { data?: unknown; errors?: Failure[] } };
}

interface Failure {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

describe('Apollo Server', () => {
  it('runs a parsed body without any header', async () => {
    expect(await run({ query: '{ a }' })).toMatchObject({ status: 200, json: { data: { a: null } } });
  });

  it('hands data of responseForOperation to stringifyResult as it is', async () => {
    const text = '{"a":1.0,"a":2}';
    const response = await run(
      { query: '{ a }' },
      { responseForOperation: () => Promise.resolve(respond({ data: new RawJson(text) })) },
    );
    expect([response.status, response.text]).toEqual([200, `{"data":${text}}`]);
  });

  it('lets willSendResponse add extensions to that data', async () => {
    const response = await run(
      { query: '{ a }' },
      {
        responseForOperation: () => Promise.resolve(respond({ data: new RawJson('{}') })),
        willSendResponse: ({ response: { body } }) => {
          if (body.kind === 'single') body.singleResult.extensions = { cost: 1 };
          return Promise.resolve();
        },
      },
    );
    expect(response.text).toBe('{"data":{},"extensions":{"cost":1}}');
  });

  it('executes the operation when responseForOperation returns null', async () => {
    const { json } = await run({ query: '{ a }' }, { responseForOperation: () => Promise.resolve(null) });
    expect(json).toEqual({ data: { a: null } });
  });

  it('keeps the content type of willSendResponse', async () => {
    const { headers } = await run(
      { query: '{ a }' },
      {
        willSendResponse: ({ response }) => {
          setContentType(response, 'application/graphql-response+json');
          return Promise.resolve();
        },
      },
    );
    expect(headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
  });

  it('ends a request with the status of an error of didResolveOperation, and does not send extensions.http', async () => {
    const error = new GraphQLError('too deep', { extensions: { code: 'DEPTH_LIMIT_EXCEEDED' } });
    const { status, json } = await run(
      { query: '{ a }' },
      { didResolveOperation: () => Promise.reject(requestError(error, 429)) },
    );
    expect([status, json.errors?.[0]?.extensions]).toEqual([429, { code: 'DEPTH_LIMIT_EXCEEDED' }]);
    expect(json).not.toHaveProperty('data');
  });

  it('takes an error of responseForOperation for an unexpected one and ignores its status', async () => {
    const error = requestError(new GraphQLError('too deep', { extensions: { code: 'DEPTH_LIMIT_EXCEEDED' } }), 429);
    const { status, json } = await run({ query: '{ a }' }, { responseForOperation: () => Promise.reject(error) });
    expect([status, json.errors?.[0]?.extensions.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
  });

  it.each([
    [
      'an operation that the document does not have',
      { query: 'query A { a }', operationName: 'B' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'a variable of another type',
      { query: 'query ($x: Int!) { n(x: $x) }', variables: { x: 'one' } },
      'BAD_USER_INPUT',
    ],
  ])('reports %s by itself when the listener does nothing', async (_, body, code) => {
    const { json } = await run(body, { responseForOperation: () => Promise.resolve(null) });
    expect(json.errors?.[0]?.extensions.code).toBe(code);
  });

  it('calls didResolveOperation without an operation when the document does not have it', async () => {
    const seen: unknown[] = [];
    const didResolveOperation: Listener['didResolveOperation'] = ({ operation }) => {
      seen.push(operation);
      return Promise.resolve();
    };
    await run({ query: 'query A { a }', operationName: 'B' }, { didResolveOperation });
    expect(seen).toEqual([undefined]);
  });

  it('gives a document of the store to every request, the same object each time', async () => {
    const [store, seen] = [new Map<string, DocumentNode>(), new Set<DocumentNode>()];
    const documentStore = {
      get: (key: string) => Promise.resolve(store.get(key)),
      set: (key: string, document: DocumentNode) => Promise.resolve(void store.set(key, document)),
      delete: (key: string) => Promise.resolve(store.delete(key)),
    };
    const didResolveOperation: Listener['didResolveOperation'] = ({ document }) => {
      seen.add(document);
      return Promise.resolve();
    };
    for (let n = 0; n < 2; n += 1) await run({ query: '{ a }' }, { didResolveOperation }, { documentStore });
    expect([store.size, seen.size]).toEqual([1, 1]);
    expect([...seen]).toEqual([...store.values()]);
  });

  it('does not call didResolveOperation for a document that is not valid', async () => {
    const didResolveOperation = jest.fn<Promise<void>, []>(() => Promise.resolve());
    const { json } = await run({ query: '{ c }' }, { didResolveOperation });
    expect(json.errors?.[0]?.extensions.code).toBe(ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED);
    expect(didResolveOperation).not.toHaveBeenCalled();
  });

  it('stops validation before the rules that compare fields run', async () => {
    const query = '{ same: a same: b(x: 1) }';
    const { json } = await run(
      { query },
      {},
      {
        validationRules: [(context) => ({ Document: () => stopValidation(context, 'stop') })],
        validationOptions: { maxErrors: VALIDATION_ERRORS },
      },
    );
    expect(new Set(json.errors?.map(({ message }) => message))).toEqual(
      new Set(['stop', 'Too many validation errors, error limit reached. Validation aborted.']),
    );
    expect((await run({ query })).json.errors?.[0]?.message).toContain('conflict');
  });
});

describe('graphql-js', () => {
  it('keeps the text of a document', () => {
    expect(textLength(parse('{ a }'), 0)).toBe(5);
  });

  it('uses a resolver that was replaced in a finished schema, with the response key', async () => {
    const schema = buildSchema('type Query { a: String }');
    const field = schema.getQueryType()?.getFields()['a'];
    if (field === undefined) throw new Error('The schema has no field a');
    resolveFromKey(field);
    const { json } = await run({ query: '{ alias: a }' }, {}, { schema, rootValue: { alias: 'by key' } });
    expect(json).toEqual({ data: { alias: 'by key' } });
  });
});

describe("Nest's driver", () => {
  it('routes once, with a server that has the schema and the options, and stops it', async () => {
    const routed: { path: string; server: ApolloServer }[] = [];
    class Driver extends RoutedDriver {
      protected override route(_fastify: unknown, path: string, server: ApolloServer): void {
        routed.push({ path, server });
      }
    }
    @Resolver()
    class Greeting {
      @Query(() => String)
      hello(): string {
        return 'hello';
      }
    }
    const transformSchema = jest.fn((schema: GraphQLSchema) => schema);
    const serverWillStop = jest.fn(() => Promise.resolve());
    @Module({
      imports: [
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: Driver,
          path: '/there',
          autoSchemaFile: true,
          graphiql: false,
          csrfPrevention: false,
          transformSchema,
          plugins: [{ serverWillStart: () => Promise.resolve({ serverWillStop }) }],
        }),
      ],
      providers: [Greeting],
    })
    class Service {}
    const app = await NestFactory.create(Service, new FastifyAdapter(), { logger: false });
    await app.init();
    const [only, ...others] = routed;
    if (only === undefined) throw new Error('The driver did not route');
    expect([only.path, others, transformSchema.mock.calls.length]).toEqual(['/there', [], 1]);
    const { body } = await executeBody(only.server, { query: '{ hello }' }, {});
    expect(JSON.parse(body)).toEqual({ data: { hello: 'hello' } });
    await app.close();
    expect(serverWillStop).toHaveBeenCalledTimes(1);
  });
});

describe('stringifyResult', () => {
  it('writes the results of resolvers as JSON', () => {
    expect(stringifyResult({ data: { a: null }, errors: [{ message: 'no' }] })).toBe(
      '{"data":{"a":null},"errors":[{"message":"no"}]}',
    );
  });
});
