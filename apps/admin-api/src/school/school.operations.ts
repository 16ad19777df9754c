import { Collection, Get } from '@lyceum/collections';
import type { OperationRequest } from '@lyceum/collections';
import { Injectable } from '@nestjs/common';
import { school } from './school.schema.js';
import type { SchoolProfile } from './school.schema.js';
import { SchoolService } from './school.service.js';

@Collection<SchoolProfile>({
  name: 'school',
  description: 'Name, language, currency and contact of the school.',
  resource: school,
  singleton: true,
})
@Injectable()
export class SchoolSettingsOperations {
  constructor(private readonly school: SchoolService) {}

  @Get('getSchool', {
    summary: 'Get the settings of the school',
    description: 'The settings are public: pages, catalog and tools show them.',
    response: 'The settings; one that was never set is null',
  })
  get({ principal }: OperationRequest): Promise<SchoolProfile> {
    return this.school.profile(principal);
  }
}
