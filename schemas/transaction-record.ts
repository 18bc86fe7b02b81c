import { Type } from '@sinclair/typebox'
import type { BrandNames } from './brand.ts'
import { txId } from './leaves.ts'
import { type RecordField, type StatusKind, statusResources } from './record-fields.ts'

export const TxIdParams = Type.Object({ txId: txId() })

type Names = Pick<BrandNames, 'hashField' | 'txHashField'>

const fieldsOf = (fields: readonly RecordField[]) =>
  Object.fromEntries(
    fields.map(({ name, kind, optional, description, example }) => {
      const options = { description, examples: [example] }
      return [
        name,
        kind === 'text' ? Type.String(options) : Type.Integer({ minimum: optional ? 0 : 1, ...options })
      ]
    })
  )

/** The fields with SERVICE_RESPONSE_FORMAT=widget (interface 9.15). */
function widgetFields(kind: StatusKind, names: Names) {
  const { transfer, [kind]: resource } = statusResources(names)
  const fields = fieldsOf(resource.fields)
  const route = transfer.fields.filter(({ name }) => /^(origin|target(chain|symbol))/.test(name))
  const amounts = Object.keys(fields).filter(name => name.startsWith('amount'))
  return {
    ...fields,
    ...(kind === 'liquidity' && fieldsOf(route)),
    ...Object.fromEntries(
      amounts.map(name => [name, Type.Number({ description: 'Whole tokens', examples: [100.5] })])
    ),
    tx_id: Type.String({ description: 'Sequential transaction id', examples: ['42'] })
  }
}

const titleOf = (kind: StatusKind) => `${kind[0]?.toUpperCase()}${kind.slice(1)}`

/** A record in the chain's format (interface 9.4, 9.5), which webhooks use too. */
export const recordOf = (kind: StatusKind, names: Names) =>
  Type.Object(fieldsOf(statusResources(names)[kind].fields), {
    title: `${titleOf(kind)}Record`,
    description: 'Transaction record'
  })

/** A status response in both formats (interface 9.1, 9.2). */
export function statusResponse(kind: StatusKind, names: Names) {
  const content = Type.Union(
    [
      Type.Array(recordOf(kind, names), {
        minItems: 1,
        maxItems: 1,
        description: 'A list of one record, with SERVICE_RESPONSE_FORMAT=documented'
      }),
      Type.Object(widgetFields(kind, names), {
        title: `Widget${titleOf(kind)}Record`,
        description: 'The record itself, with SERVICE_RESPONSE_FORMAT=widget'
      })
    ],
    { description: 'The record, in the format of SERVICE_RESPONSE_FORMAT' }
  )
  const { root } = statusResources(names)[kind]
  return Type.Object(
    {
      data: Type.Object(
        { [root]: content },
        { description: 'The record under the root of its kind, as in the chain’s index' }
      )
    },
    { title: `${titleOf(kind)}Status`, description: 'The record' }
  )
}
