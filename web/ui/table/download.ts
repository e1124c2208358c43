/** Saves a generated or loaded file on the user's device. */
export function download(content: Blob, fileName: string) {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // Keep the URL for a minute, so that the browser can start to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
