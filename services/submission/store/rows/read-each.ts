import { StoreCorruptError } from '../errors.ts'

/** Is told of a row that is left out because it is damaged. */
export type DamageObserver = (damage: StoreCorruptError) => void

/** Reads each row for itself, so that a damaged one keeps no other from being read. */
export function readEach<Row, T>(
  rows: readonly Row[],
  read: (row: Row) => T,
  onDamage: (damage: StoreCorruptError, row: Row) => void = () => {}
): T[] {
  return rows.flatMap(row => {
    try {
      return [read(row)]
    } catch (error) {
      if (!(error instanceof StoreCorruptError)) throw error
      onDamage(error, row)
      return []
    }
  })
}

/** For readers that need every row. */
export function throwDamage(damage: StoreCorruptError): never {
  throw damage
}
