import {
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  validate
} from 'graphql'

/** What the index answers to a request, always with HTTP status 200. */
export type IndexAnswer = { data: unknown } | { errors: HasuraErrorJson[] }

/** Answers the JSON body of a request: `query`, and optionally `variables` and `operationName`. */
export async function answerQuery(
  schema: GraphQLSchema,
  rootValue: unknown,
  body: unknown
): Promise<IndexAnswer> {
  if (!isObject(body) || typeof body['query'] !== 'string') {
    return { errors: [hasuraError("the key 'query' was not present", '$', 'parse-failed')] }
  }
  const document = parseQuery(body['query'])
  if (document === undefined) {
    return { errors: [hasuraError('not a valid graphql query', '$.query', 'validation-failed')] }
  }
  const problems = validate(schema, document)
  if (problems.length > 0) return { errors: problems.map(fromGraphqlError) }
  const result: ExecutionResult = await execute({
    schema,
    document,
    rootValue,
    variableValues: isObject(body['variables']) ? body['variables'] : undefined,
    operationName: typeof body['operationName'] === 'string' ? body['operationName'] : undefined
  })
  if (result.errors !== undefined) return { errors: result.errors.map(fromGraphqlError) }
  return { data: result.data }
}

function parseQuery(query: string) {
  try {
    return parse(query)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An error as Hasura puts it into `errors`. */
export interface HasuraErrorJson {
  message: string
  extensions: { path: string; code: string }
}

/** An argument that the schema allows and Hasura does not. */
export class HasuraError extends Error {
  override name = 'HasuraError'
  readonly argument: string

  constructor(message: string, argument: string) {
    super(message)
    this.argument = argument
  }
}

export function hasuraError(message: string, path: string, code: string): HasuraErrorJson {
  return { message, extensions: { path, code } }
}

/** A validation or execution error of graphql-js in Hasura's form; `path` leads to the field it is about. */
function fromGraphqlError(error: GraphQLError): HasuraErrorJson {
  const node = error.nodes?.find(candidate => candidate.kind === 'Field')
  const field = node?.kind === 'Field' ? `$.selectionSet.${node.name.value}` : '$'
  const { originalError } = error
  const path = originalError instanceof HasuraError ? `${field}.args.${originalError.argument}` : field
  return hasuraError(error.message, path, 'validation-failed')
}
