import type { Examples } from '../example.ts';

export const materials: Examples = {
  async listMaterials({ whence }) {
    for await (const { title, kind, file } of whence.materials.list()) console.log(title, kind, file?.url);
  },

  async createMaterial({ whence, programId }) {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC';
    const { file } = await whence.materials.create({
      title: 'Summer banner',
      programId,
      licenseNote: 'Use it unchanged until August 31.',
      // To read the data from a file, use (await readFile('summer.png')).toString('base64').
      file: { name: 'summer.png', data: png },
    });
    console.log(file?.type, file?.width, file?.height); // image/png 1 1
  },

  async getMaterial({ whence }) {
    const { id } = await whence.materials.create({ title: 'Post', text: 'Mugs: {link}' });
    const { kind } = await whence.materials.get(id);
    console.log(kind); // text
  },

  async changeMaterial({ whence }) {
    const { id } = await whence.materials.create({ title: 'Post', text: 'Mugs: {link}' });
    const { status } = await whence.materials.update(id, { status: 'archived' });
    console.log(status); // archived
  },

  async deleteMaterial({ whence }) {
    const { id } = await whence.materials.create({ title: 'Post', text: 'Mugs: {link}' });
    await whence.materials.delete(id);
  },

  async listPortalMaterials({ whence: merchant, asCollaborator: whence }) {
    await merchant.materials.create({ title: 'Post', text: 'Mugs: {link}' });
    for await (const { title, text } of whence.portal.listMaterials()) {
      console.log(title, text); // Post Mugs: https://shop.example/?ref=ada
    }
  },
};
