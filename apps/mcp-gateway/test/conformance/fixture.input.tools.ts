import { Injectable } from '@nestjs/common';
import type { ContentOutput } from '@lyceum/contracts';
import { InputNeeded, Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { ROOTS, hasResponse, form, sample, sign, textOf, verified } from './fixture.questions.js';
import { fixture, shows, text } from './fixture.tools.js';

type ApiResponse = Promise<ContentOutput | InputNeeded>;
type Call = Pick<ToolCall<object>, 'client'>;

const requireInput = (...questions: ConstructorParameters<typeof InputNeeded>): ApiResponse =>
  Promise.resolve(new InputNeeded(...questions));
const CONFIRM = { confirm: form('Please confirm', 'ok', 'boolean') };

/** Tools of the scenarios of SEP-2322 (multi round-trip requests). */
@Injectable()
export class InputTools {
  @Tool(fixture('test_input_required_result_elicitation'))
  elicitation({ client }: Call): ApiResponse {
    const name = textOf(client, 'user_name', 'name');
    return name === undefined
      ? requireInput({ user_name: form('What is your name?', 'name') })
      : shows(text(`Hello, ${name}!`));
  }

  @Tool(fixture('test_input_required_result_sampling'))
  sampling({ client }: Call): ApiResponse {
    const capital_question = sample('What is the capital of France?');
    return hasResponse(client, 'capital_question') ? shows(text('Asked')) : requireInput({ capital_question });
  }

  @Tool(fixture('test_input_required_result_list_roots'))
  roots({ client }: Call): ApiResponse {
    if (!hasResponse(client, 'client_roots')) return requireInput({ client_roots: ROOTS });
    return shows(text(JSON.stringify(client.inputResponses['client_roots'])));
  }

  @Tool(fixture('test_input_required_result_request_state'))
  state({ client }: Call): ApiResponse {
    return this.#confirmed(client);
  }

  @Tool(fixture('test_input_required_result_tampered_state'))
  tampered({ client }: Call): ApiResponse {
    return this.#confirmed(client);
  }

  @Tool(fixture('test_input_required_result_multiple_inputs'))
  several({ client }: Call): ApiResponse {
    const questions = {
      user_name: form('What is your name?', 'name'),
      greeting: sample('Generate a greeting'),
      client_roots: ROOTS,
    };
    const done = verified(client) === 'questions' && hasResponse(client, ...Object.keys(questions));
    return done ? shows(text('All was answered')) : requireInput(questions, sign('questions'));
  }

  @Tool(fixture('test_input_required_result_multi_round'))
  rounds({ client }: Call): ApiResponse {
    const round = verified(client);
    const name = textOf(client, 'step1', 'name');
    if (round === '1' && name !== undefined) {
      return requireInput({ step2: form('Step 2: What is your favorite color?', 'color') }, sign(`2 ${name}`));
    }
    const color = textOf(client, 'step2', 'color');
    if (round?.startsWith('2 ') === true && color !== undefined) {
      return shows(text(`${round.slice(2)} likes ${color}`));
    }
    return requireInput({ step1: form('Step 1: What is your name?', 'name') }, sign('1'));
  }

  /** Asks only questions that the client supports. */
  @Tool(fixture('test_input_required_result_capabilities'))
  capabilities({ client: { capabilities } }: Call): ApiResponse {
    return requireInput({
      ...('sampling' in capabilities ? { greeting: sample('Generate a greeting') } : {}),
      ...('elicitation' in capabilities ? { user_name: form('What is your name?', 'name') } : {}),
    });
  }

  /** Asks regardless of the client's capabilities; the gateway must refuse. */
  @Tool(fixture('test_missing_capability'))
  missing(): ApiResponse {
    return requireInput({ question: sample('What is the capital of France?') });
  }

  @Tool(fixture('test_streaming_elicitation'))
  streaming(): ApiResponse {
    return requireInput({ user_name: form('What is your name?', 'name') });
  }

  #confirmed(client: Call['client']): ApiResponse {
    const state = verified(client);
    return state === 'questions' && hasResponse(client, 'confirm')
      ? shows(text('state-ok'))
      : requireInput(CONFIRM, sign('questions'));
  }
}
