import { Controller, Get, Header } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { Open } from '@lyceum/resource-server';
import { definitionOf } from './sdl.js';

@Controller('member')
export class SchemaController {
  #sdl: string | undefined;

  constructor(private readonly host: GraphQLSchemaHost) {}

  /** Public, because code generators read the schema without a token. */
  @Get('schema.graphql')
  @Open()
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'public, max-age=300')
  schema(): string {
    return (this.#sdl ??= definitionOf(this.host.schema));
  }
}
