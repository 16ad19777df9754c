import { Module } from '@nestjs/common';
import { PersonalDataRepository } from './personal-data.repository.js';
import { PersonalDataResponder } from './personal-data.responder.js';

@Module({ providers: [PersonalDataRepository, PersonalDataResponder] })
export class PersonalDataModule {}
