import { Type } from '@sinclair/typebox'
import type { BrandNames } from './brand.ts'
import { component, list, object, text, txId } from './leaves.ts'
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
  const route = transfer.fields.filter(({ name }) => /^(origin|target)/.test(name))
  const amounts = Object.keys(fields).filter(name => name.startsWith('amount'))
  return {
    ...fields,
    ...(kind === 'liquidity' && fieldsOf(route)),
    ...Object.fromEntries(
      amounts.map(name => [name, Type.Number({ description: 'Whole tokens', examples: [100.5] })])
    ),
    tx_id: text('Sequential transaction id', '42')
  }
}

const titleOf = (kind: StatusKind) => `${kind[0]?.toUpperCase()}${kind.slice(1)}`

/** A record in the chain's format (interface 9.4, 9.5), which webhooks use too. */
export const recordOf = (kind: StatusKind, names: Names) =>
  component(`${titleOf(kind)}Record`, 'Transaction record', fieldsOf(statusResources(names)[kind].fields))

/** The documented record under the root of transfers, which may be a swap (interface 9.16). */
function transactionRecord(names: Names) {
  const { transfer, swap } = statusResources(names)
  const own = new Set(transfer.fields.map(({ name }) => name))
  const ofSwaps = Object.entries(fieldsOf(swap.fields.filter(({ name }) => !own.has(name))))
  return component('TransactionRecord', 'Record of a transfer or swap', {
    ...fieldsOf(transfer.fields),
    amount: text('Decimal amount in whole tokens; of a swap, `amountIn`', '100.5'),
    ...Object.fromEntries(
      ofSwaps.map(([name, field]) => [
        name,
        Type.Optional({ ...field, description: `${field.description}; only of a swap` })
      ])
    )
  })
}

/** A status response in both formats (interface 9.1, 9.2). */
export function statusResponse(kind: StatusKind, names: Names) {
  const { root } = statusResources(names)[kind]
  const title = titleOf(kind)
  const one = { minItems: 1, maxItems: 1 }
  const documented = 'A list of one record, with SERVICE_RESPONSE_FORMAT=documented'
  const widget = 'The record itself, with SERVICE_RESPONSE_FORMAT=widget'
  const formats = [
    list(documented, kind === 'transfer' ? transactionRecord(names) : recordOf(kind, names), one),
    component(`Widget${title}Record`, widget, widgetFields(kind, names))
  ]
  return component(`${title}Status`, 'The record', {
    data: object('The record under the root of its kind, as in the chain’s index', {
      [root]: Type.Union(formats, { description: 'The record, in the format of SERVICE_RESPONSE_FORMAT' })
    })
  })
}
