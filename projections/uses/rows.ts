/** Rows that the SQL of other folders may read and join: when keys and grants were used last. */
export const useRows = '(select id, used_at from credential_uses)';
