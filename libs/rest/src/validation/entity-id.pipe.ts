import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { PipeTransform } from '@nestjs/common';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A malformed id is a 404, indistinguishable from an unknown id or another site's. */
@Injectable()
export class EntityIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (UUID.test(value)) return value.toLowerCase();
    throw new ApiError('not_found', 'There is no such object at this site');
  }
}
