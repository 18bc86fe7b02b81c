import fc from '../helpers/fast-check.ts'
import {
  type NamedOperation,
  type OpenApiDocument,
  operationsOf,
  type Parameter
} from '../openapi/document.ts'
import { exampleOf, textOf } from '../openapi/example.ts'
import { hostileJson, hostileText, prototypeKeys } from './hostile-values.ts'
import type { RawRequest } from './raw-client.ts'

/** Most parts of a request are as documented, so that one invalid part is not hidden behind another. */
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: odd })

/** Percent-encodes a text as UTF-8; a lone surrogate becomes three bytes that no decoder accepts. */
function encode(text: string): string {
  return Array.from(text, point =>
    /\p{Surrogate}/u.test(point) ? '%ED%A0%80' : encodeURIComponent(point)
  ).join('')
}

const rawQuery = fc.constantFrom(
  '%',
  '%zz',
  '&&&===',
  'a[b][c]=1',
  '__proto__[x]=1',
  'amount=1&amount=2',
  '?#'
)

function target({ path, parameters = [] }: NamedOperation): fc.Arbitrary<string> {
  const value = (parameter: Parameter) => mostly(fc.constant(textOf(parameter)), hostileText)
  const filled = parameters
    .filter(parameter => parameter.in === 'path')
    .reduce<fc.Arbitrary<string>>(
      (sofar, parameter) =>
        fc
          .tuple(sofar, value(parameter))
          .map(([url, text]) => url.replace(`{${parameter.name}}`, () => encode(text))),
      fc.constant(path)
    )
  const pairs = parameters
    .filter(parameter => parameter.in === 'query')
    .map(parameter =>
      fc
        .tuple(value(parameter), mostly(fc.constant(1), fc.nat(2)))
        .map(([text, times]) => Array.from({ length: times }, () => `${parameter.name}=${encode(text)}`))
    )
  const query = fc.tuple(...pairs).map(lists => lists.flat().join('&'))
  const shaped = fc.tuple(filled, query).map(([url, search]) => `${url}?${search}`)
  return fc.oneof(
    { weight: 8, arbitrary: shaped },
    { weight: 1, arbitrary: fc.tuple(shaped, rawQuery).map(([url, more]) => `${url}&${more}`) },
    { weight: 1, arbitrary: hostileText.map(text => `/${encode(text)}`) }
  )
}

/** The members of a JSON object as texts; names may repeat. */
type Members = [name: string, json: string][]
const write = (members: Members) =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`

/** An object with some members changed, left out, duplicated or added. */
function mutated(object: object): fc.Arbitrary<string> {
  const members: Members = Object.entries(object).map(([name, value]) => [name, JSON.stringify(value)])
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(object)),
    fc.constantFrom(...prototypeKeys),
    hostileText
  )
  const change = fc.record({ name, json: hostileJson, how: fc.constantFrom('replace', 'drop', 'double') })
  return fc.array(change, { maxLength: 3 }).map(changes =>
    write(
      changes.reduce<Members>((sofar, { name, json, how }) => {
        const others = sofar.filter(([known]) => known !== name)
        if (how === 'drop') return others
        return [...(how === 'double' ? sofar : others), [name, json]]
      }, members)
    )
  )
}

function body({ requestBody }: NamedOperation): fc.Arbitrary<string> {
  const schema = requestBody?.content['application/json']?.schema
  if (schema === undefined) return mostly(fc.constant(''), hostileJson)
  const example = Object(exampleOf(schema))
  const withOptions =
    'options' in example
      ? mutated(JSON.parse(example.options)).map(options => JSON.stringify({ ...example, options }))
      : fc.constant(JSON.stringify(example))
  const object = fc.oneof(mutated(example), withOptions)
  const cut = fc.tuple(object, fc.nat(200)).map(([text, length]) => text.slice(0, length))
  return fc.oneof(
    { weight: 6, arbitrary: object },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: hostileJson }
  )
}

const contentType = mostly(
  fc.constant('application/json'),
  fc.constantFrom(
    'application/json; charset=utf-16',
    'APPLICATION/JSON;;',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset="utf-8"; charset=latin1',
    'text/plain',
    'json',
    ''
  )
)

const header = fc.tuple(
  fc.constantFrom(
    'host',
    'expect',
    'x-request-id',
    'idempotency-key',
    'x-forwarded-for',
    'origin',
    'accept',
    'accept-encoding',
    'content-encoding',
    'if-none-match',
    'cookie',
    'authorization',
    'user-agent',
    'upgrade',
    '__proto__',
    'constructor'
  ),
  // A line break would start another header.
  hostileText.map(text => text.replace(/[\r\n]/g, ' '))
)

/** Requests that keep to an OpenAPI document only in part. */
export function hostileRequests(document: OpenApiDocument): fc.Arbitrary<RawRequest> {
  const requests = operationsOf(document).map(operation =>
    fc
      .record({
        method: fc.oneof(
          { weight: 12, arbitrary: fc.constant<string>(operation.method) },
          { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'GET', 'BREW') }
        ),
        target: target(operation),
        contentType,
        headers: fc.array(header, { maxLength: 4 }),
        body: body(operation),
        encoding: fc.constantFrom<'utf8' | 'latin1'>('utf8', 'utf8', 'utf8', 'latin1')
      })
      .map(
        ({ contentType, headers, ...request }): RawRequest => ({
          ...request,
          headers: [['content-type', contentType], ...headers]
        })
      )
  )
  return fc.oneof(...requests)
}
