import { ApiError } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import type { PipeTransform } from '@nestjs/common';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is no UUID names nothing: 404, exactly like a UUID that names nothing, or something of another site. */
@Injectable()
export class EntityIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (UUID.test(value)) return value.toLowerCase();
    throw new ApiError('not_found', 'There is no such object at this site');
  }
}
