import type { GraphQLError } from 'graphql'

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
export function fromGraphqlError(error: GraphQLError): HasuraErrorJson {
  const node = error.nodes?.find(candidate => candidate.kind === 'Field')
  const field = node?.kind === 'Field' ? `$.selectionSet.${node.name.value}` : '$'
  const { originalError } = error
  const path = originalError instanceof HasuraError ? `${field}.args.${originalError.argument}` : field
  return hasuraError(error.message, path, 'validation-failed')
}
