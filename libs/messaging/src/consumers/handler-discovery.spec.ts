import { Injectable, Module } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { commentEvents, courseEvents, personEvents, postEvents } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { declaredReadModels, declaredConsumers } from './declared-consumers.js';
import type { EventHandler } from './event-applier.js';
import { EventConsumers } from './event-consumers.js';
import { HandlerDiscovery } from './handler-discovery.js';
import { ReadModel, Consumes, ConsumesEach, Wraps } from './consumes.decorator.js';

const calls: string[] = [];
const tx = {} as EntityManager;

@Injectable()
@ReadModel('posts')
class Posts {
  readonly name = 'posts';

  @Consumes(postEvents, 'posts', { table: 'post' })
  async apply(events: readonly unknown[], _tx: EntityManager): Promise<void> {
    calls.push(`${this.name} apply ${events.length}`);
  }
}

@Injectable()
class News {
  constructor(private readonly posts: Posts) {}

  @Wraps(Posts, 'apply')
  async announce(events: readonly unknown[], manager: EntityManager): Promise<void> {
    await this.posts.apply(events, manager);
    calls.push('announce');
  }

  @ConsumesEach([commentEvents, courseEvents], 'news')
  async tell(_event: unknown, _tx: EntityManager): Promise<void> {
    calls.push('tell');
  }
}

/** Records the registrations. */
class Consumers {
  readonly readers: (EventHandler & { readonly stream: string })[] = [];

  register(reader: EventHandler & { readonly stream: string }): void {
    this.readers.push(reader);
  }
}

async function discover(...providers: Type[]): Promise<Consumers['readers']> {
  @Module({
    imports: [DiscoveryModule],
    providers: [...providers, HandlerDiscovery, { provide: EventConsumers, useClass: Consumers }],
  })
  class Service {}
  const context = await NestFactory.createApplicationContext(Service, { logger: false, abortOnError: false });
  await context.close();
  return context.get<Consumers>(EventConsumers).readers;
}

beforeEach(() => void calls.splice(0));

describe('HandlerDiscovery', () => {
  it('registers the declared handlers on the stream of their context', async () => {
    const readers = await discover(Posts, News);
    expect(readers.map(({ name, stream, events }) => [name, stream, events])).toEqual([
      ['posts', 'SCHOOL', [postEvents]],
      ['news', 'SCHOOL', [commentEvents, courseEvents]],
    ]);
  });

  it('calls the wrapper in place of the wrapped method', async () => {
    const [posts] = await discover(Posts, News);
    await posts?.handleAll?.([], tx);
    expect(calls).toEqual(['posts apply 0', 'announce']);
  });

  it('calls the method itself without a wrapper', async () => {
    const [posts] = await discover(Posts);
    await posts?.handleAll?.([], tx);
    expect(calls).toEqual(['posts apply 0']);
  });

  it('passes single events to a method that takes one', async () => {
    const readers = await discover(Posts, News);
    const news = readers.find(({ name }) => name === 'news');
    expect(news?.handleAll).toBeUndefined();
  });

  it('rejects a wrapper of a method that no provider has', async () => {
    @Injectable()
    class Stray {
      @Wraps(Posts, 'apply')
      async apply(_events: readonly unknown[], _tx: EntityManager): Promise<void> {}
    }
    await expect(discover(Stray)).rejects.toThrow('wraps');
  });

  it('rejects a consumer of two contexts', () => {
    expect(() => Consumes([postEvents, personEvents], 'both')).toThrow('one context');
  });
});

describe('declaredConsumers', () => {
  @Module({ providers: [Posts] })
  class Feature {}
  const service = { module: class Service {}, imports: [Feature, Feature], providers: [News] };

  it('finds the consumers of its imports once', () => {
    expect(declaredConsumers(service).map(({ reader }) => reader)).toEqual(['news', 'posts']);
    expect([...declaredReadModels(service)]).toEqual([['posts', Posts]]);
  });

  it('rejects two read models of one name', () => {
    @ReadModel('posts')
    class Others {}
    expect(() => declaredReadModels({ ...service, providers: [Others] })).toThrow('Two classes');
  });
});
