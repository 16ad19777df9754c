import { Kind, separateOperations, visit } from 'graphql';
import type {
  DirectiveNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { codedError } from '#src/schema/coded-error.js';
import { typeOfId } from '#src/schema/global-id.js';
import { LIMITS } from './limits.policy.js';
import { PreparedOperation } from './prepared-operation.js';
import { Selector } from './selection.js';
import type { Variables } from './selection.js';
import type { Sources } from './sources.js';

/** Variables that decide the shape of an operation, in the order of the document. */
type Question = (variables: Variables) => string;

const yesOrNo = (yes: boolean): string => (yes ? '1' : '0');

/** Maximum number of cached shapes of one document: enough for three independent switches. */
const SHAPES = 8;

export interface Ground {
  readonly schema: GraphQLSchema;
  readonly sources: Sources;
  /** The source of the root of a query. */
  readonly from: string;
}

/** One operation of a valid document with its fragments, analyzed once. */
export class PreparedDocument {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode> = {};
  readonly #ground: Ground;
  readonly #questions: Question[] = [];
  readonly #shapes = new Map<string, PreparedOperation>();

  /** @throws GraphQLError when the schema has no such root, or the operation has too many aliases. */
  constructor(document: DocumentNode, operation: OperationDefinitionNode, ground: Ground) {
    this.#ground = ground;
    // Validation accepts any fields of a root type that is missing from the schema.
    if (!ground.schema.getRootType(operation.operation)) {
      throw refusal(`The schema has no ${operation.operation}`);
    }
    this.operation = operation;
    const used = partOf(document, operation);
    for (const definition of used.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments[definition.name.value] = definition;
    }
    let aliases = 0;
    visit(used, {
      Field: (node) => {
        if (node.alias !== undefined) aliases += 1;
        this.#askField(node);
      },
      Directive: (node) => this.#askDirective(node),
    });
    if (aliases > LIMITS.aliases) {
      throw refusal(`An operation must have at most ${LIMITS.aliases} aliases`);
    }
  }

  /** Returns the operation for coerced variables. */
  shape(variables: Variables): PreparedOperation {
    const key = this.#questions.map((question) => question(variables)).join(' ');
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    const made = this.#prepare(variables);
    if (this.#shapes.size >= SHAPES) this.#shapes.delete(this.#shapes.keys().next().value ?? '');
    this.#shapes.set(key, made);
    return made;
  }

  #prepare(variables: Variables): PreparedOperation {
    const { schema, sources, from } = this.#ground;
    const root = schema.getRootType(this.operation.operation);
    if (!root) throw new Error(`The schema has no root type for a ${this.operation.operation}`);
    const selector = new Selector(schema, this.fragments, variables, LIMITS.fields);
    return new PreparedOperation(selector.object(root, [this.operation.selectionSet]), from, sources, variables);
  }

  /** Paging from the end is another statement than paging from the start, and so is a node of another type. */
  #askField({ arguments: given }: FieldNode): void {
    for (const { name, value } of given ?? []) {
      if (value.kind !== Kind.VARIABLE) continue;
      const variable = value.name.value;
      if (name.value === 'last') {
        this.#questions.push((variables) => yesOrNo(typeof variables[variable] === 'number'));
      }
      if (name.value === 'id') this.#questions.push((variables) => typeOfId(variables[variable]) ?? '');
    }
  }

  #askDirective({ name, arguments: given }: DirectiveNode): void {
    if (name.value !== 'skip' && name.value !== 'include') return;
    const value = given?.find((argument) => argument.name.value === 'if')?.value;
    if (value?.kind !== Kind.VARIABLE) return;
    const variable = value.name.value;
    this.#questions.push((variables) => yesOrNo(variables[variable] === true));
  }
}

/** Counts only the operation that runs, not the others of the document. */
function partOf(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operations.length === 1) return document;
  return separateOperations(document)[operation.name?.value ?? ''] ?? document;
}

function refusal(message: string): GraphQLError {
  return codedError('graphql_validation_failed', message);
}
