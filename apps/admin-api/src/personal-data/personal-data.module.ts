import { Module } from '@nestjs/common';
import { PersonalDataRepository } from './personal-data.repository.js';
import { PersonalDataResponder } from './personal-data.responder.js';

/** Handles requests of auth. Only the service imports it, because subcommands must not handle requests. */
@Module({ providers: [PersonalDataRepository, PersonalDataResponder] })
export class PersonalDataModule {}
