/** The same name to people, in English and in Turkish: case and the dot of the i do not tell two apart. */
export const nameKey = (name: string): string => name.trim().normalize('NFKC').toLocaleLowerCase('tr').replaceAll('ı', 'i');
