import type { ComponentChildren } from 'preact'
import { fieldErrors } from '../state/field-errors.ts'

interface Props {
  /** The field's name in requests and in error details. */
  name: string
  label: string
  hint?: string
  /** Renders the control with these attributes. */
  children: (attributes: FieldAttributes) => ComponentChildren
}

export interface FieldAttributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

/** A control with its label, hint and error from the service. */
export function Field({ name, label, hint, children }: Props) {
  const id = `field-${name}`
  const error = fieldErrors.value.get(name)
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error === undefined ? undefined : 'true'
      })}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface SelectProps extends FieldAttributes {
  value: string
  options: readonly { value: string; label: string; disabled?: boolean }[]
  onChoose: (value: string) => void
}

export function Select({ value, options, onChoose, ...attributes }: SelectProps) {
  return (
    <span class="select">
      <select {...attributes} value={value} onChange={event => onChoose(event.currentTarget.value)}>
        {options.map(option => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}
