import { Type } from '@sinclair/typebox'
import { HtlcLock } from './bitcoin.ts'
import type { BrandNames } from './brand.ts'
import type { ResponseFormat } from './fee-quote.ts'
import { component, list, text, txId } from './leaves.ts'
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

/** A record in the widget's format (interface 9.15). */
function widgetRecord(kind: StatusKind, names: Names) {
  const { transfer, [kind]: resource } = statusResources(names)
  const fields = fieldsOf(resource.fields)
  const route = transfer.fields.filter(({ name }) => /^(origin|target)/.test(name))
  const amounts = Object.keys(fields).filter(name => name.startsWith('amount'))
  return component(`${titleOf(kind)}Record`, 'Transaction record', {
    ...fields,
    ...(kind === 'liquidity' && fieldsOf(route)),
    ...Object.fromEntries(
      amounts.map(name => [name, Type.Number({ description: 'Whole tokens', examples: [100.5] })])
    ),
    tx_id: text('Sequential transaction id', '42')
  })
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

/** A status response (interface 9.1, 9.2). */
export function statusResponse(kind: StatusKind, names: Names, format: ResponseFormat) {
  const { root } = statusResources(names)[kind]
  const title = titleOf(kind)
  const record = kind === 'transfer' ? transactionRecord(names) : recordOf(kind, names)
  const one = { minItems: 1, maxItems: 1 }
  return component(`${title}Status`, 'The record', {
    data: component(`${title}StatusData`, 'The record under the root of its kind, as in the chain’s index', {
      [root]: format === 'widget' ? widgetRecord(kind, names) : list('A list of one record', record, one),
      ...(kind !== 'liquidity' && { htlc_lock_request: Type.Optional(HtlcLock) })
    })
  })
}
