import type { NamedOperation, Parameter, Schema } from './document.ts'

export interface ExampleRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  payload?: string
}

/** Returns a schema's example. @throws Error if the schema has no example */
export function exampleOf(schema: Schema): unknown {
  const { examples, default: standard, anyOf, items, properties } = schema
  if (examples?.[0] !== undefined) return examples[0]
  if (standard !== undefined) return standard
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0])
  if (items !== undefined) return [exampleOf(items)]
  if (schema.type === 'boolean') return true
  if (properties === undefined) throw new Error(`no example in ${JSON.stringify(schema)}`)
  const shown = Object.entries(properties).filter(
    ([name, property]) => schema.required?.includes(name) || property.examples !== undefined
  )
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property)]))
}

const textOf = ({ schema, example }: Parameter) => String(example ?? exampleOf(schema))

/** Builds a request from an operation's examples: the required parameters, and the body or its properties. */
export function exampleRequest(operation: NamedOperation): ExampleRequest {
  const { method, path, parameters = [], requestBody } = operation
  const required = parameters.filter(parameter => parameter.required)
  const inPath = new Map(required.map(parameter => [`{${parameter.name}}`, parameter]))
  const query = required.filter(parameter => parameter.in === 'query')
  const search = new URLSearchParams()
  for (const parameter of query) search.append(parameter.name, textOf(parameter))
  const filled = path.replace(/\{\w+\}/g, name => {
    const parameter = inPath.get(name)
    return parameter === undefined ? name : encodeURIComponent(textOf(parameter))
  })
  const url = `${filled}?${search}`
  const content = requestBody?.content['application/json']
  if (content === undefined) return { method, url, headers: {} }
  const headers = { 'content-type': 'application/json' }
  return { method, url, headers, payload: JSON.stringify(content.example ?? exampleOf(content.schema)) }
}
