/* SPDX-License-Identifier: MIT
 *
 * dungeon_ldtk_defs.c: see dungeon_ldtk_defs.h. Fields that never change are literals, in the order
 * in which the editor writes them.
 */
#include "api/view/dungeon_ldtk_defs.h"

#include <string.h>

typedef struct entity_row {
    const char *name, *color, *field;
} entity_row;

static const entity_row entities[LDTK_ENTITIES] = {
    [LDTK_ENTRANCE] = {"Entrance", "#2F9E57", NULL},
    [LDTK_EXIT] = {"Exit", "#7C4DD1", NULL},
    [LDTK_STAIRS_UP] = {"Stairs_up", "#3A7FC4", NULL},
    [LDTK_STAIRS_DOWN] = {"Stairs_down", "#3A7FC4", NULL},
    [LDTK_DOOR] = {"Door", "#9C5A2D", "lock"},
    [LDTK_ROOM] = {"Room", "#CFC4A8", "kind"},
    [LDTK_SPAWN] = {"Spawn", "#D6336C", "kind"},
    [LDTK_OBJECT] = {"Object", "#C99A1C", "kind"},
};

const char *ldtk_entity_name(ldtk_entity entity) {
    return entities[entity].name;
}

const char *ldtk_entity_color(ldtk_entity entity) {
    return entities[entity].color;
}

const char *ldtk_entity_field(ldtk_entity entity) {
    return entities[entity].field;
}

static const char header[] =
    "\"__header__\":{\"fileType\":\"LDtk Project JSON\",\"app\":\"LDtk\",\"doc\":"
    "\"https://ldtk.io/json\",\"schema\":\"https://ldtk.io/files/JSON_SCHEMA.json\","
    "\"appAuthor\":\"loam\",\"appVersion\":\"1.5.3\",\"url\":\"https://ldtk.io\"}";

static const char settings[] =
    "\"jsonVersion\":\"1.5.3\",\"appBuildId\":473702,\"identifierStyle\":\"Capitalize\","
    "\"toc\":[],\"worldLayout\":\"LinearHorizontal\",\"worldGridWidth\":256,"
    "\"worldGridHeight\":256,\"defaultLevelHeight\":256,\"defaultPivotX\":0,\"defaultPivotY\":0,"
    "\"defaultGridSize\":16,\"defaultEntityWidth\":16,\"defaultEntityHeight\":16,"
    "\"bgColor\":\"#23262E\",\"defaultLevelBgColor\":\"#23262E\",\"minifyJson\":true,"
    "\"externalLevels\":false,\"exportTiled\":false,\"simplifiedExport\":false,"
    "\"imageExportMode\":\"None\",\"exportLevelBg\":true,\"pngFilePattern\":null,"
    "\"backupOnSave\":false,\"backupLimit\":10,\"backupRelPath\":null,"
    "\"levelNamePattern\":\"Floor_%idx\",\"tutorialDesc\":null,\"customCommands\":[],"
    "\"flags\":[],\"worlds\":[]";

/* Of both layers, but for type, name, number and values. */
static const char layer_rest[] =
    "\"doc\":null,\"uiColor\":null,\"gridSize\":16,\"guideGridWid\":0,\"guideGridHei\":0,"
    "\"displayOpacity\":1,\"inactiveOpacity\":1,\"hideInList\":false,"
    "\"hideFieldsWhenInactive\":true,\"canSelectWhenInactive\":true,\"renderInWorldView\":true,"
    "\"pxOffsetX\":0,\"pxOffsetY\":0,\"parallaxFactorX\":0,\"parallaxFactorY\":0,"
    "\"parallaxScaling\":true,\"requiredTags\":[],\"excludedTags\":[],"
    "\"autoTilesKilledByOtherLayerUid\":null,\"uiFilterTags\":[],\"useAsyncRender\":false,"
    "\"intGridValuesGroups\":[],\"autoRuleGroups\":[],\"autoSourceLayerDefUid\":null,"
    "\"tilesetDefUid\":null,\"tilePivotX\":0,\"tilePivotY\":0,\"biomeFieldUid\":null";

static const char grid_values[] =
    "[{\"value\":1,\"identifier\":\"wall\",\"color\":\"#4A5060\",\"tile\":null,\"groupUid\":0},"
    "{\"value\":2,\"identifier\":\"floor\",\"color\":\"#CFC4A8\",\"tile\":null,\"groupUid\":0},"
    "{\"value\":3,\"identifier\":\"door\",\"color\":\"#9C5A2D\",\"tile\":null,\"groupUid\":0}]";

static const char entity_rest[] =
    "\"tags\":[],\"exportToToc\":false,\"allowOutOfBounds\":false,\"doc\":null,\"width\":16,"
    "\"height\":16,\"resizableX\":true,\"resizableY\":true,\"minWidth\":null,\"maxWidth\":null,"
    "\"minHeight\":null,\"maxHeight\":null,\"keepAspectRatio\":false,\"tileOpacity\":1,"
    "\"fillOpacity\":0.3,\"lineOpacity\":1,\"hollow\":false,\"renderMode\":\"Rectangle\","
    "\"showName\":true,\"tilesetId\":null,\"tileRenderMode\":\"FitInside\",\"tileRect\":null,"
    "\"uiTileRect\":null,\"nineSliceBorders\":[],\"maxCount\":0,\"limitScope\":\"PerLevel\","
    "\"limitBehavior\":\"MoveLastOne\",\"pivotX\":0,\"pivotY\":0";

static const char field_rest[] =
    "\"doc\":null,\"__type\":\"String\",\"type\":\"F_String\",\"isArray\":false,"
    "\"canBeNull\":true,\"arrayMinLength\":null,\"arrayMaxLength\":null,"
    "\"editorDisplayMode\":\"NameAndValue\",\"editorDisplayScale\":1,"
    "\"editorDisplayPos\":\"Above\",\"editorLinkStyle\":\"StraightArrow\","
    "\"editorDisplayColor\":null,\"editorAlwaysShow\":false,\"editorShowInWorld\":true,"
    "\"editorCutLongValues\":true,\"editorTextSuffix\":null,\"editorTextPrefix\":null,"
    "\"useForSmartColor\":false,\"exportToToc\":false,\"searchable\":false,\"min\":null,"
    "\"max\":null,\"regex\":null,\"acceptFileTypes\":null,\"defaultOverride\":null,"
    "\"textLanguageMode\":null,\"symmetricalRef\":false,\"autoChainRef\":true,"
    "\"allowOutOfLevelRef\":true,\"allowedRefs\":\"OnlySame\",\"allowedRefsEntityUid\":null,"
    "\"allowedRefTags\":[],\"tilesetUid\":null";

/* Fields that are written already, with a comma before them where one is due. */
static void put_fields(text_buffer *to, const char *fields) {
    if (to->size > 0 && strchr("{[,:", to->bytes[to->size - 1]) == NULL) {
        buffer_add_text(to, ",");
    }
    buffer_add_text(to, fields);
}

static void write_layer(text_buffer *to, const char *type, const char *name, int64_t uid,
                        const char *values) {
    buffer_open_object(to);
    buffer_field_string(to, "__type", type);
    buffer_field_string(to, "identifier", name);
    buffer_field_string(to, "type", type);
    buffer_field_integer(to, "uid", uid);
    buffer_key(to, "intGridValues");
    buffer_json(to, loam_text_of(values));
    put_fields(to, layer_rest);
    buffer_close_object(to);
}

static void write_entity(text_buffer *to, ldtk_entity entity) {
    buffer_open_object(to);
    buffer_field_string(to, "identifier", entities[entity].name);
    buffer_field_integer(to, "uid", LDTK_ENTITY_FIRST + (int64_t)entity);
    buffer_field_string(to, "color", entities[entity].color);
    put_fields(to, entity_rest);
    buffer_key(to, "fieldDefs");
    buffer_open_array(to);
    if (entities[entity].field != NULL) {
        buffer_open_object(to);
        buffer_field_string(to, "identifier", entities[entity].field);
        buffer_field_integer(to, "uid", LDTK_FIELD_FIRST + (int64_t)entity);
        put_fields(to, field_rest);
        buffer_close_object(to);
    }
    buffer_close_array(to);
    buffer_close_object(to);
}

static void write_defs(text_buffer *to) {
    buffer_key(to, "defs");
    buffer_open_object(to);
    buffer_key(to, "layers");
    buffer_open_array(to);
    write_layer(to, "Entities", "Entities", LDTK_LAYER_ENTITIES, "[]");
    write_layer(to, "IntGrid", "Cells", LDTK_LAYER_CELLS, grid_values);
    buffer_close_array(to);
    buffer_key(to, "entities");
    buffer_open_array(to);
    for (int i = 0; i < LDTK_ENTITIES; i++) {
        write_entity(to, (ldtk_entity)i);
    }
    buffer_close_array(to);
    put_fields(to, "\"tilesets\":[],\"enums\":[],\"externalEnums\":[],\"levelFields\":[]");
    buffer_close_object(to);
}

void ldtk_write_project(text_buffer *to, const char *iid, uint32_t levels, int64_t level_width) {
    put_fields(to, header);
    buffer_field_string(to, "iid", iid);
    buffer_field_string(to, "dummyWorldIid", iid);
    buffer_field_integer(to, "nextUid", LDTK_LEVEL_FIRST + (int64_t)levels);
    buffer_field_integer(to, "defaultLevelWidth", level_width);
    put_fields(to, settings);
    write_defs(to);
}
