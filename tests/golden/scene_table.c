/* SPDX-License-Identifier: MIT
 *
 * scene_table.c: what the golden catalogue holds. A new operation gets a scene here; a scene that
 * is there never changes, for its digests are a promise.
 */
#include "tests/golden/scene.h"

#define SQUARE(x, z, side)                                                                         \
    { (x), (z), (x) + (side), (z) + (side) }
#define METRES(m) ((int64_t)(m)*256)

static const char *const forest[] = {
    "$terrain heightfield",
    "sites surface.sample spacing_m=154 surface<$terrain",
    "gentle filter.slope max_deg=1638400 points<sites",
    "band filter.height min_m=5120 max_m=107520 points<gentle",
    "field density.noise wavelength_m=24576 octaves=2 contrast=104858 points<band",
    "drawn density.cull points<field",
    "spaced self.prune radius_m=308 points<drawn",
    "trees transform.scatter scale_min=3277 scale_max=6554 tilt_max_deg=393216 asset='pine' "
    "points<spaced",
    "=trees trees",
    NULL,
};

static const char *const forest_with_village[] = {
    "$terrain heightfield",
    "$village areas",
    "sites surface.sample spacing_m=154 surface<$terrain",
    "gentle filter.slope max_deg=1638400 points<sites",
    "spaced self.prune radius_m=308 rounds=4 points<gentle",
    "kept zone.exclude margin_m=128 points<spaced zones<$village",
    "trees transform.scatter yaw=2 pitch_max_deg=196608 roll_max_deg=131072 tilt_max_deg=1310720 "
    "sink_m=13 asset='oak' points<kept",
    "=trees trees",
    NULL,
};

static const char *const lattice[] = {
    "sites grid.sample spacing_m=3072 jitter=0 y_m=-700 density=8388608",
    "=points sites",
    NULL,
};

static const char *const wide_radius[] = {
    "sites grid.sample spacing_m=256 jitter=39322",
    "spaced self.prune radius_m=1500 rounds=6 points<sites",
    "=points spaced",
    NULL,
};

static const char *const two_species[] = {
    "$terrain heightfield",
    "big surface.sample spacing_m=700 surface<$terrain",
    "bigger transform.scatter distribution=2 mu=16384 sigma=29491 scale_cap=12288 asset='fir' "
    "points<big",
    "small grid.sample spacing_m=300 y_m=25600 density=12000000",
    "thinner density.noise wavelength_m=9000 kind=1 combine=2 points<small",
    "crests density.noise wavelength_m=5000 kind=2 combine=3 octaves=1 bias=6554 points<thinner",
    "some filter.density min=4000000 max=16000000 points<crests",
    "smaller transform.scatter distribution=1 mu=65536 sigma=16384 yaw=0 asset='bush' points<some",
    "both merge a<bigger b<smaller",
    "spaced self.prune radius_m=400 priority=1 points<both",
    "=plants spaced",
    NULL,
};

static const char *const inverted[] = {
    "$terrain heightfield",
    "$village areas",
    "sites surface.sample spacing_m=500 surface<$terrain",
    "steep filter.slope max_deg=655360 invert=1 points<sites",
    "off filter.height min_m=25600 max_m=27000 invert=1 points<steep",
    "inside zone.exclude invert=1 points<off zones<$village",
    "twice merge a<inside b<inside c<inside d<inside",
    "half density.cull multiplier=8388608 points<twice",
    "=points half",
    NULL,
};

static const char *const nothing[] = {
    "sites grid.sample spacing_m=512 density=0",
    "none density.cull points<sites",
    "=points none",
    NULL,
};

static const char *const river_banks[] = {
    "$river lines",
    "rocks line.sample spacing_m=33000000 offsets_m=[0,300,771] keep=[16777216,12000000,9000000] "
    "jitter_m=99 lines<$river",
    "posts line.sample spacing_m=50000001 anchor=1 sides=1 offsets_m=[500] end=1 lines<$river",
    "stones line.sample spacing_m=70000000 anchor=1 sides=0 offsets_m=[40] lines<$river",
    "both merge a<rocks b<posts c<stones",
    "apart self.prune radius_m=128 points<both",
    "=points apart",
    NULL,
};

static const char *const by_the_river[] = {
    "$river lines",
    "sites grid.sample spacing_m=400",
    "near filter.line_distance min_m=300 max_m=2000 points<sites lines<$river",
    "far filter.line_distance max_m=700 invert=1 points<near lines<$river",
    "=points far",
    NULL,
};

static const char *const given_points[] = {
    "$trees points",
    "given points.input points<$trees",
    "some density.cull multiplier=14000000 points<given",
    "=points some",
    NULL,
};

static const char *const densities[] = {
    "$terrain heightfield",
    "$village areas",
    "sites surface.sample spacing_m=256 surface<$terrain",
    "high density.remap from=@$height:0:2147483647 in_min=5242880 in_max=7864320 out_min=1677721 "
    "curve=1 points<sites",
    "bent density.remap curve=[[0,0],[8388608,4194304],[16777216,16777216]] combine=2 points<high",
    "flat normal.to_density strength=131072 points<bent",
    "near density.distance near_m=256 far_m=2560 far=8388608 inside=2 points<flat to<$village",
    "layer density.raster in_min=5242880 in_max=9175040 combine=3 points<near mask<$terrain",
    "soft zone.buffer width_m=1024 margin_m=128 curve=1 points<layer zones<$village",
    "drawn density.cull points<soft",
    "=points drawn",
    NULL,
};

static const char *const attributes[] = {
    "$village areas",
    "sites grid.sample spacing_m=400",
    "wave attribute.noise name='wave' wavelength_m=4000 octaves=3 min=-131072 max=65536 "
    "points<sites",
    "far attribute.distance name='far' max_m=2048 points<wave to<$village",
    "sum attribute.math.float op=2 a=@wave:0:2147483647 b=@far:0:2147483647 result='sum' "
    "points<far",
    "yaw attribute.set.float name='$yaw_deg' value=2949120 points<sum",
    "seven attribute.set.int name='seven' value=7 points<yaw",
    "moss attribute.set.string name='cover' value='moss' points<seven",
    "low branch name='sum' op=0 value=0 points<moss",
    "stone attribute.set.string name='asset' value='stone' points<low#true",
    "some filter.float name='far' min=65536 max=524287 points<low#false",
    "all merge a<stone b<some",
    "mossy filter.string name='cover' values=['grass','moss'] points<all",
    "lucky filter.int name='seven' min=7 max=7 points<mossy",
    "=points lucky",
    NULL,
};

static const char *const moved[] = {
    "$terrain heightfield",
    "$village areas",
    "sites grid.sample spacing_m=300 y_m=99",
    "strayed jitter x_m=200 y_m=50 z_m=100 points<sites",
    "land project points<strayed onto<$terrain",
    "square filter.box min_m=[262400,0,-900] max_m=[278000,90000,15000] points<land",
    "round filter.radius x_m=262144 z_m=0 radius_m=14000 points<square",
    "town filter.polygon invert=1 points<round areas<$village",
    "leant transform.scatter pitch_max_deg=1310720 scale_min=2048 scale_max=6000 points<town",
    "turned transform offset_m=[777,-25,-1234] rotation_deg=[655360,5898240,-327680] "
    "scale=[4096,8192,2048] points<leant",
    "near density.distance near_m=0 far_m=400 far=16777216 near=0 points<turned to<sites",
    "drawn density.cull points<near",
    "trees spawn assets=[['pine',65536,3000,5000,1,300],['oak',@$density:0:65536,4096,4096,0,500]] "
    "attribute='species' points<drawn",
    "=points trees",
    NULL,
};

static const char *const plant_radii[] = {
    "big grid.sample spacing_m=700",
    "trees transform.scatter scale_min=8192 scale_max=12288 asset='fir' points<big",
    "small grid.sample spacing_m=200",
    "bushes transform.scatter scale_min=2048 scale_max=4915 asset='bush' points<small",
    "both merge a<trees b<bushes",
    "apart self.prune radius_m=@$scale:256:768 mode=1 points<both",
    "rim self.prune radius_m=@$scale:256:768 mode=2 rounds=2 priority=2 attribute='$scale' "
    "points<apart",
    "=plants rim",
    NULL,
};

static const char *const blue_noise[] = {
    "$terrain heightfield",
    "sites poisson.sample radius_m=500 surface<$terrain",
    "rocks poisson.sample radius_m=3000 rounds=6",
    "clear bounds.prune distance_m=900 points<sites against<rocks",
    "rings bounds.prune distance_m=1800 invert=1 points<clear against<rocks",
    "=points rings",
    NULL,
};

static const char *const one_meadow[] = {
    "flowers poisson.disk origin_x_m=2000 origin_z_m=-3000 width_m=11000 depth_m=13000 "
    "radius_m=320",
    "=points flowers",
    NULL,
};

static const char *const in_footprints[] = {
    "$village areas",
    "inside area.sample spacing_m=220 areas<$village",
    "middle area.sample spacing_m=300 jitter=32768 edge_m=700 areas<$village",
    "both merge a<inside b<middle",
    "spaced self.prune radius_m=250 points<both",
    "=debris spaced",
    NULL,
};

/* The square is 64 m from (0, 64) m; the ground lies around 100 m. */
static const char *const volumes[] = {
    "$ground heightfield",
    "$ways lines",
    "$zones areas",
    "sites surface.sample spacing_m=200 surface<$ground",
    "rocks grid.sample spacing_m=4000 y_m=25600",
    "box spatial.box min_m=[1000,0,17000] max_m=[9000,60000,30000]",
    "ball spatial.sphere center_m=[9000,25600,24000] radius_m=5000",
    "tube spatial.tube radius_m=900 min_y_m=20000 max_y_m=40000 lines<$ways",
    "block spatial.prism min_y_m=0 max_y_m=26000 areas<$zones",
    "near spatial.points radius_m=1200 points<rocks",
    "first spatial.difference a<box b<near",
    "second spatial.intersection a<block b<ball",
    "third spatial.union a<first b<second",
    "fourth spatial.union a<third b<tube",
    "kept filter.spatial points<sites domain<fourth",
    "=points kept",
    NULL,
};

static const char *const caves[] = {
    "$ground heightfield",
    "$zones areas",
    "ball spatial.sphere center_m=[8000,25600,24000] radius_m=7000",
    "under spatial.intersection a<ball b<$ground",
    "free spatial.difference a<under b<$zones",
    "sites spatial.sample spacing_m=700 jitter=40000 min_y_m=21000 density=9000000 domain<free",
    "=points sites",
    NULL,
};

static const char *const biomes[] = {
    "$ground heightfield",
    "$rules rules {\"layers\":[{\"name\":\"meadow\",\"density\":0.25,"
    "\"assets\":[{\"name\":\"grass\","
    "\"weight\":3},{\"name\":\"herb\"}]},{\"name\":\"wood\",\"priority\":2,\"assets\":[{\"name\":"
    "\"pine\",\"scale_min\":0.5,\"scale_max\":2,\"yaw\":\"random\",\"radius_m\":1.5},{\"name\":"
    "\"fir\",\"weight\":0.3}]},{\"name\":\"heath\",\"priority\":2,"
    "\"assets\":[{\"name\":\"ling\"}]}]}",
    "$town areas",
    "west spatial.box min_m=[0,0,0] max_m=[9000,90000,90000]",
    "hill spatial.sphere center_m=[9000,25600,26000] radius_m=4000",
    "land biome.generate spacing_m=300 surface<$ground rules<$rules exclude<$town wood<west "
    "heath<hill",
    "spaced self.prune radius_m=400 points<land",
    "=plants spaced",
    NULL,
};

static const char *const fences[] = {
    "$ways lines",
    "$rules rules {\"modules\":[{\"symbol\":\"Post\",\"length_m\":0.2,\"variants\":[{\"asset\":"
    "\"post\"}]},{\"symbol\":\"Wall\",\"length_m\":2,\"variants\":[{\"asset\":\"wall_a\","
    "\"weight\":"
    "3},{\"asset\":\"wall_b\"}]},{\"symbol\":\"Low\",\"length_m\":1.3},{\"symbol\":\"Gate\","
    "\"length_m\":3,\"variants\":[{\"asset\":\"gate\"}]}]}",
    "fence grammar.generate grammar='Post2,[{Wall:3,Low:1}2,Post]*,<[Gate,Gate],Gate>,Low+,Post' "
    "accept_incomplete=1 lines<$ways rules<$rules",
    "=fence fence",
    NULL,
};

static const char *const flower_beds[] = {
    "$trees points",
    "petals poisson.disk origin_x_m=300 origin_z_m=-90 width_m=200 depth_m=180 radius_m=60",
    "dense grid.sample spacing_m=500",
    "round filter.radius x_m=0 z_m=0 radius_m=1800 points<dense",
    "heads transform.scatter scale_min=3000 scale_max=9000 asset='daisy' points<round",
    "flowers copy.points max_points=50 source<petals target<heads",
    "given points.input points<$trees",
    "turned transform.scatter scale_min=4096 scale_max=8192 asset='bed' points<given",
    "beds copy.points max_points=3000 metadata=1 target_scale_max=8192 source<flowers "
    "target<turned",
    "=flowers beds",
    NULL,
};

static const scene_text scenes[] = {
    {.name = "forest",
     .about = "the documentation's forest, 64 m, terrain of 4 m (32-bit path)",
     .seed = 42,
     .graph = forest,
     .rect = SQUARE(0, 0, METRES(64))},
    {.name = "forest-far",
     .about = "the same at (1,000,000, -780,000) m, terrain of 30 m",
     .seed = UINT64_MAX,
     .graph = forest,
     .terrain = TERRAIN_30_M,
     .rect = SQUARE(METRES(1000000), METRES(-780000), METRES(64))},
    {.name = "forest-fraction",
     .about = "terrain whose spacing is no whole unit (scalar path)",
     .seed = 7,
     .graph = forest,
     .terrain = TERRAIN_FRACTION,
     .rect = SQUARE(METRES(-333), METRES(-333), METRES(33))},
    {.name = "village",
     .about = "zones with a hole, margins, leaning trees facing downhill",
     .seed = 42,
     .graph = forest_with_village,
     .rect = SQUARE(METRES(-64), METRES(128), METRES(64))},
    {.name = "lattice",
     .about = "12 m without jitter, 256 m",
     .seed = 1,
     .graph = lattice,
     .rect = SQUARE(METRES(256), METRES(-512), METRES(256))},
    {.name = "wide-radius",
     .about = "pruning beyond the stencil, six rounds (general path)",
     .seed = 3,
     .graph = wide_radius,
     .rect = SQUARE(METRES(512), METRES(512), METRES(50))},
    {.name = "two-species",
     .about = "merge, noise kinds, distributions, priority by density",
     .seed = 9,
     .graph = two_species,
     .rect = SQUARE(METRES(-50), METRES(-50), METRES(100))},
    {.name = "inverted",
     .about = "inverted filters and veto, one set through four ports",
     .seed = 12,
     .graph = inverted,
     .rect = SQUARE(METRES(1024), 0, METRES(64))},
    {.name = "nothing",
     .about = "a cell without points",
     .seed = 0,
     .graph = nothing,
     .rect = SQUARE(0, 0, METRES(16))},
    {.name = "heightmap",
     .about = "heightmap.fbm, six octaves",
     .seed = 7,
     .heightmap = {.seed = 7,
                   .width = 65,
                   .height = 49,
                   .spacing_fine = (int64_t)2048 << 16,
                   .origin_x = -512000,
                   .origin_z = 77,
                   .wavelength = 262144,
                   .amplitude = 200 * 65536,
                   .base = 50 * 65536,
                   .octaves = 6}},
    {.name = "heightmap-ridged",
     .about = "heightmap.fbm, ridged and warped, odd spacing",
     .seed = 8,
     .heightmap = {.seed = 8,
                   .width = 33,
                   .height = 33,
                   .spacing_fine = ((int64_t)777 << 16) + 1,
                   .origin_x = 256000000,
                   .origin_z = -199680000,
                   .wavelength = 100000,
                   .amplitude = 300 * 65536,
                   .base = -20 * 65536,
                   .warp = 9000,
                   .octaves = 4,
                   .ridged = true}},
    {.name = "river-banks",
     .about = "stations along lines, both anchors, offsets, sides, jitter, rings and tied keys",
     .seed = 21,
     .graph = river_banks,
     .rect = SQUARE(METRES(-64), METRES(128), METRES(64))},
    {.name = "by-the-river",
     .about = "distance to lines, a band and its inverse",
     .seed = 22,
     .graph = by_the_river,
     .rect = SQUARE(METRES(-64), METRES(128), METRES(64))},
    {.name = "given-points",
     .about = "points of an asset with integers, fractions and texts",
     .seed = 23,
     .graph = given_points,
     .rect = SQUARE(METRES(-64), METRES(128), METRES(64))},
    {.name = "densities",
     .about = "densities of heights, slopes, distances, rasters and soft borders",
     .seed = 21,
     .graph = densities,
     .rect = SQUARE(0, METRES(64), METRES(64))},
    {.name = "attributes",
     .about = "attributes set, calculated, filtered and branched by",
     .seed = 22,
     .graph = attributes,
     .rect = SQUARE(METRES(-128), METRES(32), METRES(64))},
    {.name = "moved",
     .about = "jitter, projection, places, transforms on three axes, weighted assets",
     .seed = 23,
     .graph = moved,
     .rect = SQUARE(METRES(1024), 0, METRES(64))},
    {.name = "plant-radii",
     .about = "pruning by radii of the points: the larger, then the sum, larger ones first",
     .seed = 31,
     .graph = plant_radii,
     .rect = SQUARE(METRES(-32), METRES(900), METRES(64))},
    {.name = "blue-noise",
     .about = "blue noise on a surface, in rings around sparser blue noise",
     .seed = 32,
     .graph = blue_noise,
     .rect = SQUARE(METRES(128), METRES(-64), METRES(64))},
    {.name = "one-meadow",
     .about = "a rectangle filled as a whole, that begins and ends inside the cell",
     .seed = 33,
     .graph = one_meadow,
     .rect = SQUARE(0, METRES(-32), METRES(64))},
    {.name = "in-footprints",
     .about = "inside polygons, at an edge distance, features by name",
     .seed = 34,
     .graph = in_footprints,
     .rect = SQUARE(METRES(-64), METRES(128), METRES(64))},
    {.name = "volumes",
     .about = "a filter by boxes, balls, a tube, a prism and set operations on them",
     .seed = 31,
     .graph = volumes,
     .rect = SQUARE(0, METRES(64), METRES(64))},
    {.name = "caves",
     .about = "a lattice in space, inside a ball, below the ground, beside areas",
     .seed = 32,
     .graph = caves,
     .rect = SQUARE(0, METRES(64), METRES(64))},
    {.name = "biomes",
     .about = "three layers by domain, priority and name, then pruned",
     .seed = 33,
     .graph = biomes,
     .rect = SQUARE(0, METRES(64), METRES(64))},
    {.name = "fences",
     .about = "a grammar with every sign along lines, short ones too",
     .seed = 34,
     .graph = fences,
     .rect = SQUARE(METRES(-64), METRES(128), METRES(64))},
    {.name = "flower-beds",
     .about = "copies of copies: petals around heads, heads around given points",
     .seed = 35,
     .graph = flower_beds,
     .rect = SQUARE(METRES(-64), METRES(128), METRES(64))},
};

uint32_t scene_count(void) {
    return (uint32_t)(sizeof scenes / sizeof scenes[0]);
}

const scene_text *scene_at(uint32_t index) {
    return &scenes[index];
}
