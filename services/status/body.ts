import type { BrandNames } from '../brand.ts'
import type { StatusKind } from './index.ts'
import type { StatusRecord } from './record.ts'
import { statusResources } from './resources.ts'

/**
 * The JSON of a status answer (interface 9.2). It is made once for each record, because all polls of a second get the
 * same one.
 */
export function createStatusBody(
  names: BrandNames,
  format: 'documented' | 'widget'
): (kind: StatusKind, record: StatusRecord) => string {
  const resources = statusResources(names)
  const bodies = new WeakMap<StatusRecord, string>()

  return (kind, record) => {
    const known = bodies.get(record)
    if (known !== undefined) return known
    const { root } = resources[kind]
    const body = JSON.stringify({ data: { [root]: format === 'documented' ? [record] : record } })
    bodies.set(record, body)
    return body
  }
}
