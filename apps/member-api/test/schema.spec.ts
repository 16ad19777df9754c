import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema as parseSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { GraphQLArgument, GraphQLObjectType } from 'graphql';
import { buildSchema } from '#src/print-schema/schema-definition.js';
import { definitionOf } from '#src/graphql/sdl.js';

const built = readFileSync(join(__dirname, '../../../dist/schema.graphql'), 'utf8');
const schema = parseSchema(built);
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const objects = types.filter(isObjectType);

describe('the built schema.graphql', () => {
  it('matches the resolvers', async () => {
    expect(definitionOf(await buildSchema())).toBe(built);
  });

  it('exposes the fields of the contract on viewer and on an enrolled course', () => {
    const fields = (name: string) => Object.keys((schema.getType(name) as GraphQLObjectType).getFields());
    expect(fields('Viewer')).toEqual(
      expect.arrayContaining([
        'id',
        'name',
        'email',
        'schools',
        'enrolledCourses',
        'notifications',
        'unreadNotificationCount',
      ]),
    );
    expect(fields('EnrolledCourse')).toEqual(
      expect.arrayContaining(['slug', 'expireDate', 'hasLifetimeAccess', 'lastWatchedLecture']),
    );
    expect(fields('LastWatchedLecture')).toEqual(expect.arrayContaining(['lectureId', 'positionSeconds']));
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toContain('markNotificationRead');
  });

  it('offers no channel without a delivery', () => {
    const channels = schema.getType('NotificationChannel');
    expect(isEnumType(channels) && channels.getValues().map(({ name }) => name)).toEqual(['EMAIL', 'IN_APP']);
  });

  it('describes every type, field, argument and value', () => {
    const own = types.filter(({ name }) => !['String', 'Int', 'Float', 'Boolean', 'ID'].includes(name));
    const named = own.map((type) => [type.name, type.description]);
    const inner = own.flatMap((type) => {
      if (isEnumType(type)) return type.getValues().map((value) => [`${type.name}.${value.name}`, value.description]);
      if (!isObjectType(type) && !isInputObjectType(type)) return [];
      return Object.values(type.getFields()).flatMap((field) => [
        [`${type.name}.${field.name}`, field.description],
        ...('args' in field ? field.args : []).map((argument: GraphQLArgument) => [
          `${type.name}.${field.name}.${argument.name}`,
          argument.description,
        ]),
      ]);
    });
    expect(inner.length).toBeGreaterThan(50);
    expect([...named, ...inner].filter(([, description]) => !description)).toEqual([]);
  });

  it('exposes the fields of the contract on purchases', () => {
    const shape = (name: string) =>
      Object.values((schema.getType(name) as GraphQLObjectType).getFields()).map(({ name: field, type }) => [
        field,
        String(type),
      ]);
    expect(Object.fromEntries(shape('PurchasedDigitalProduct'))).toMatchObject({
      expireDate: 'DateTime',
      files: '[DigitalProductFile!]!',
      downloadCount: 'Int!',
      downloadLimit: 'Int',
    });
    expect(Object.fromEntries(shape('PurchasedConsultingService'))).toMatchObject({
      lecturer: 'ConsultingLecturer',
      sessionsRemaining: 'Int!',
      bookings: 'ConsultingBookingConnection',
    });
    expect(Object.fromEntries(shape('EventRegistration'))).toMatchObject({ joinUrl: 'URL', canceledAt: 'DateTime' });
  });

  it('exposes no order data on purchases at any depth', () => {
    const ofOrders = /order|coupon|refund|invoice|price|payment|discount|amount|currency|tax/i;
    const roots = ['EnrolledCourse', 'PurchasedDigitalProduct', 'PurchasedConsultingService', 'EventRegistration'];
    const reached = new Set(roots.map((name) => schema.getType(name)));
    // Types added during the iteration are visited too.
    for (const type of reached) {
      if (isUnionType(type)) type.getTypes().forEach((one) => reached.add(one));
      if (isObjectType(type)) Object.values(type.getFields()).forEach((field) => reached.add(getNamedType(field.type)));
    }
    const bought = [...reached].filter(isObjectType);
    expect(bought.map(({ name }) => name)).toEqual(
      expect.arrayContaining([...roots, 'LastWatchedLecture', 'DigitalProductFile', 'ConsultingBooking']),
    );
    const words = bought.flatMap((type) => [
      type.name,
      ...Object.values(type.getFields()).flatMap((field) => [
        `${type.name}.${field.name}`,
        ...field.args.map((argument) => `${type.name}.${field.name}.${argument.name}`),
      ]),
    ]);
    expect(words.filter((word) => ofOrders.test(word))).toEqual([]);
  });

  it('makes every connection nullable, so that a failing one does not null the rest', () => {
    const connections = objects
      .filter(({ name }) => !name.endsWith('Payload'))
      .flatMap((type) => Object.values(type.getFields()))
      .map(({ type }) => String(type))
      .filter((type) => /Connection!?$/.test(type));
    expect(connections.length).toBeGreaterThan(1);
    expect(connections.filter((type) => type.endsWith('!'))).toEqual([]);
  });
});
