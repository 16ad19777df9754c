import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { EventConsumers } from '@lyceum/messaging';
import { SchoolsCopy } from './schools.copy.js';

/** Copies the sites of identity. */
@Injectable()
export class SchoolsConsumer implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly copy: SchoolsCopy,
  ) {}

  onModuleInit(): void {
    this.consumers.keep(this.copy);
  }
}
