import { exportSchoolData } from '@lyceum/contracts';
import { Requests } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { PersonalDataRepository } from './personal-data.repository.js';

/** Gives auth the records about a person, who downloads them there. Only its NATS user may send the request. */
@Injectable()
export class PersonalDataResponder implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly records: PersonalDataRepository,
  ) {}

  onModuleInit(): void {
    this.requests.handle(exportSchoolData, ({ person_id, section, offset }, { site_id }) =>
      this.records.page({ site_id, person_id }, section, offset),
    );
  }
}
