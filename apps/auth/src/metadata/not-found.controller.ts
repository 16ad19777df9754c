import { All, Controller } from '@nestjs/common';
import { Outcome } from '@lyceum/errors';
import { ENDPOINTS } from './endpoints.js';

/**
 * Agents guess at `/agent/*` for the `agent_auth` extension, which does not exist here; the answer says where to read on.
 * Everything else that no route takes ends at the platform's own 404.
 */
@Controller('agent')
export class AgentGuessController {
  @All(['', '*'])
  refuse(): never {
    throw new Outcome('not_found', `agent_auth is not supported and there is no claim step. Read ${ENDPOINTS.guide}.`);
  }
}
